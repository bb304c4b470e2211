import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import path from "node:path";
import { projectRoot } from "#app/platform/root.server.ts";
import { readOptions } from "./arguments.ts";
import { fetchTool } from "./fetch-tool.ts";

interface Step {
  name: string;
  command: string[];
  env?: Record<string, string>;
  /** Runs meanwhile: the step waits more than it computes. */
  beside?: Step;
}

const options = { long: { type: "boolean" } } as const;
const { long: isLong } = readOptions("npm test -- [--long]", { options }).values;
const long: Record<string, string> = isLong ? { LONG: "1" } : {};

/** All checks; CI runs the same. */
const STEPS: Step[] = [
  { name: "format", command: ["oxfmt", "--check"] },
  { name: "lint", command: ["oxlint", "--quiet"] },
  { name: "route types", command: ["react-router", "typegen"] },
  { name: "import rules", command: ["node", "scripts/check-imports.ts"] },
  { name: "unit and integration tests", command: ["vitest", "run"], env: long },
  ...(isLong ? [{ name: "mutations of the rules", command: mutate() }] : []),
  { name: "build", command: ["node", "scripts/build.ts"] },
  {
    name: "browser tests",
    command: ["playwright", "test"],
    env: long,
    beside: { name: "types", command: ["tsc"] },
  },
];

process.chdir(projectRoot);
const bin = path.join(projectRoot, "node_modules", ".bin");
// Hundreds of processes compile the same modules.
const NODE_COMPILE_CACHE = path.join(projectRoot, ".cache", "node");
const environment = {
  ...process.env,
  NODE_COMPILE_CACHE,
  PATH: `${bin}${path.delimiter}${process.env.PATH}`,
};

if (!process.env.TEST_DATABASE_URL) {
  console.log(
    "On the embedded PostgreSQL 18; TEST_DATABASE_URL runs the tests on another one (15 or newer).",
  );
}
const failed: string[] = [];
let passed = 0;
for (const step of STEPS) {
  const beside = step.beside && check(step.beside, "pipe");
  await check(step, "inherit");
  await beside;
}
console.log(`\nchecks: ${passed} passed, ${failed.length} failed`);
for (const name of failed) console.log(`  failed: ${name}`);
process.exit(failed.length === 0 ? 0 : 1);

function mutate(): string[] {
  return [path.join(fetchTool("test/stryker"), ".bin", "stryker"), "run"];
}

/** With "pipe" it prints nothing until the step has ended. */
async function check({ name, command, env }: Step, output: "inherit" | "pipe") {
  const head = `\n▸ ${name}: ${command.join(" ")}`;
  if (output === "inherit") console.log(head);
  const started = performance.now();
  const [program = "", ...args] = command;
  const child = spawn(program, args, {
    stdio: ["inherit", output, output],
    env: { ...environment, ...env },
  });
  const printed = Promise.all([child.stdout, child.stderr].map((stream) => stream && text(stream)));
  const status = await once(child, "close").then(([code]) => code, String);
  if (output === "pipe") console.log([head, ...(await printed)].filter(Boolean).join("\n"));
  const isOk = status === 0;
  if (isOk) passed++;
  else failed.push(name);
  if (typeof status === "string") console.log(status);
  console.log(
    `  ${isOk ? "ok" : "FAILED"} in ${((performance.now() - started) / 1_000).toFixed(1)} s`,
  );
}
