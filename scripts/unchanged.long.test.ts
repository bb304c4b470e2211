import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installJobs } from "#app/jobs.server.ts";
import { projectRoot } from "#app/platform/root.server.ts";
import { upgradeDatabase } from "#app/platform/upgrade/upgrade.server.ts";
import { dumpRows, runCommand } from "#test/commands.ts";
import { useDatabase } from "#test/db.ts";
import { ben } from "#test/fixtures.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { storeDefaultPacks } from "../db/defaults.ts";

const database = useDatabase();
withoutTimeouts(database);
const dataDir = mkdtempSync(path.join(tmpdir(), "kickabout-"));
afterAll(() => rmSync(dataDir, { recursive: true }));

const run = (command: string[], env: Record<string, string> = {}) =>
  runCommand(database.connection, command, { env: { DATA_DIR: dataDir, DEMO: "1", ...env } });

let email = "";
beforeAll(async () => {
  const id = await ben(database.db);
  const users = database.db.selectFrom("users").select("email");
  ({ email } = await users.where("id", "=", id).executeTakeFirstOrThrow());
  await upgradeDatabase(database.pool);
  await installJobs(database.pool);
  // The demo's packs, whose links a start at another address has made.
  await storeDefaultPacks(database.db, { demo: true, appUrl: "http://localhost:4672" });
});

/** Each says that nothing was changed, or that it failed. BEN is an account. */
const UNCHANGED: [command: string, env: Record<string, string>][] = [
  ["db-seed", {}],
  ["db-seed", { DEMO: "0" }],
  ["db-reset", { DEMO: "0" }],
  ["db-reset", { DEMO: "" }],
  ["db-reset --dry-run", {}],
  ["db-migrate", {}],
  ["db-migrate --without", {}],
  ["db-migrate --without none", {}],
  ["upgrade-check", {}],
  ["upgrade-check now", {}],
  ["check-ledger", {}],
  ["check-ledger --fix", {}],
  ["backup --keep none", {}],
  ["backup /dev/null/none", {}],
  ["restore /none", {}],
  ["restore --rehearse /none", {}],
  ["restore --recovered --replace kickabout", {}],
  ["make-admin nobody@uni.example", {}],
  ["make-admin", {}],
  ["grant nobody@uni.example 5 a prize", {}],
  ["grant BEN 5", {}],
  ["grant BEN 0 a prize", {}],
  ["grant BEN -9999 a correction", {}],
  ["reset-two-factor nobody@uni.example", {}],
  ["reset-two-factor BEN", {}],
  ["mail-test", {}],
  ["vapid-keys", {}],
  ["files-move", {}],
  ["stripe-links", {}],
  ["stripe-links --all", {}],
  ["stripe-reconcile", {}],
  ["stripe-reconcile --days 0", {}],
];

test.each(UNCHANGED)("%s %j leaves every row as it is", async (command, env) => {
  const before = await dumpRows(database.pool);
  const { code, out, problems } = await run(command.replace("BEN", email).split(" "), env);
  expect(await dumpRows(database.pool)).toEqual(before);
  // It has been where it ends, and did not do what it is for.
  expect(problems).not.toMatch(/\n {4}at /);
  const isHarmless = /nothing was changed|Nothing to apply|^From .* to|The books are right|VAPID/;
  expect(code === 0 ? out : "failed").toMatch(code === 0 ? isHarmless : "failed");
});

test("every command of an operator is among them", () => {
  const { scripts } = JSON.parse(readFileSync(path.join(projectRoot, "package.json"), "utf8"));
  const lines: string[] = Object.values(scripts);
  const all = lines.flatMap((line) => /^node scripts\/([\w-]+)\.ts/.exec(line)?.[1] ?? []);
  const tried = new Set(UNCHANGED.map(([command]) => command.split(" ")[0]));
  const others = all.filter((name) => !tried.has(name));
  // Of a checkout: they know no database of a site.
  expect(new Set(others)).toEqual(new Set(["build", "test", "specification", "measure-code"]));
});
