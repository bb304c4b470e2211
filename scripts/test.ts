import { spawnSync } from "node:child_process";
import path from "node:path";
import { projectRoot } from "#app/platform/root.server.ts";
import { readOptions } from "./arguments.ts";
import { fetchTool } from "./fetch-tool.ts";

interface Step {
  name: string;
  command: string[];
  env?: Record<string, string>;
}

const options = { long: { type: "boolean" } } as const;
const { long: isLong } = readOptions("npm test -- [--long]", { options }).values;
const long: Record<string, string> = isLong ? { LONG: "1" } : {};

/** All checks; CI runs the same. */
const STEPS: Step[] = [
  { name: "format", command: ["oxfmt", "--check"] },
  { name: "lint", command: ["oxlint", "--quiet"] },
  { name: "route types", command: ["react-router", "typegen"] },
  { name: "types", command: ["tsc"] },
  { name: "import rules", command: ["node", "scripts/check-imports.ts"] },
  { name: "unit and integration tests", command: ["vitest", "run"], env: long },
  ...(isLong ? [{ name: "mutations of the rules", command: mutate() }] : []),
  { name: "build", command: ["node", "scripts/build.ts"] },
  { name: "browser tests", command: ["playwright", "test"], env: long },
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
const failed = STEPS.filter((step) => !passes(step));
console.log(`\nchecks: ${STEPS.length - failed.length} passed, ${failed.length} failed`);
for (const { name } of failed) console.log(`  failed: ${name}`);
process.exit(failed.length === 0 ? 0 : 1);

function mutate(): string[] {
  return [path.join(fetchTool("test/stryker"), ".bin", "stryker"), "run"];
}

function passes({ name, command, env }: Step): boolean {
  console.log(`\n▸ ${name}: ${command.join(" ")}`);
  const started = performance.now();
  const [program = "", ...args] = command;
  const { status, error } = spawnSync(program, args, {
    stdio: "inherit",
    env: { ...environment, ...env },
  });
  if (error) console.log(error.message);
  console.log(
    `  ${status === 0 ? "ok" : "FAILED"} in ${((performance.now() - started) / 1_000).toFixed(1)} s`,
  );
  return status === 0;
}
