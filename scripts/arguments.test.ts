import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { projectRoot } from "#app/platform/root.server.ts";
import { isLong } from "#test/long.ts";
import { runScript } from "#test/commands.ts";

const folder = mkdtempSync(path.join(tmpdir(), "kickabout-arguments-"));
afterAll(() => rmSync(folder, { recursive: true }));
const dataDir = path.join(folder, "data");

async function expectUsage(script: string, ...args: string[]) {
  const env = { DATA_DIR: dataDir, DEMO: "1" };
  const { problems, ...rest } = await runScript(script, args, { cwd: folder, env });
  expect(rest).toEqual({ code: 1, out: "" });
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

// Each is a process, which loads all that it needs before it looks.
const some = <T>(all: T[]) => (isLong ? all : all.filter((_, index) => index % 8 === 0));

test.each(some(ALL))("%s does nothing when it gets what it has no use for", (script) =>
  expectUsage(script, "first@uni.example", "second@uni.example"),
);

test.each(
  some([
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
  ]),
)("restore %j is rejected before it begins", (args) => expectUsage("restore.ts", ...args));

test("a backup into a folder without a name is none", () => expectUsage("backup.ts", ""));
