import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { projectRoot } from "#app/platform/root.server.ts";

const folder = mkdtempSync(path.join(tmpdir(), "kickabout-arguments-"));
afterAll(() => rmSync(folder, { recursive: true }));
const dataDir = path.join(folder, "data");

async function expectUsage(script: string, ...args: string[]) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, DATA_DIR: dataDir, DEMO: "1" };
  const file = path.join(projectRoot, "scripts", script);
  const child = spawn(process.execPath, [file, ...args], { cwd: folder, env });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise<number | null>((done) => child.on("close", done));
  const [out, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect({ code: await ended, out }).toEqual({ code: 1, out: "" });
  expect(problems).toMatch(/^Usage: npm .*\n$/);
  expect(existsSync(dataDir)).toBe(false);
}

const { scripts } = JSON.parse(readFileSync(path.join(projectRoot, "package.json"), "utf8"));
const commands = [...JSON.stringify(scripts).matchAll(/node scripts\/([\w-]+\.ts)/g)];
// The words behind an amount are its reason.
const ALL = [...new Set(commands.map(([, script]) => script!))].filter(
  (name) => name !== "grant.ts",
);

test("the check knows the commands", () => expect(ALL.length).toBeGreaterThan(15));

test.each(ALL)("%s does nothing when it gets what it has no use for", (script) =>
  expectUsage(script, "first@uni.example", "second@uni.example"),
);

test.each([
  [["--dry-run", "backup"]],
  [[""]],
  [["backup", "--recovered"]],
  [["backup", "--send-mails"]],
  [["--recovered", "--send-mails"]],
  [["--recovered", "--rehearse"]],
  [["--send-mails", "--replace", "kickabout"]],
  [["--rehearse"]],
  [["backup", "--rehearse", "--replace", "kickabout"]],
  [["backup", "--replace", "--rehearse"]],
  [["backup", "--quiet"]],
])("restore %j is rejected before it begins", (args) => expectUsage("restore.ts", ...args));

test("a backup into a folder without a name is none", () => expectUsage("backup.ts", ""));
