import { afterEach, expect, test, vi } from "vitest";
import { useDatabase } from "#test/db.ts";
import { connectWithoutLimits, openDatabase } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { statementSeconds } from "./metrics.server.ts";
import { withinScope } from "./request-scope.server.ts";
import { logSlowStatements, withoutValues } from "./statements.server.ts";

const database = useDatabase();
afterEach(() => {
  logSlowStatements(Infinity);
  vi.restoreAllMocks();
});

test("a slow statement is named with its route and its pool, and without what it was given", async () => {
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  const { pool, close } = openDatabase(database.connection, 1, undefined, "requests");
  logSlowStatements(40);
  const slow = "select pg_sleep($1), $2::text,\n  'aino@uni.example' as email";
  await withinScope({ id: "abc", route: "/events/:gameId" }, () =>
    pool.query(slow, [0.05, "secret"]),
  );
  logSlowStatements(60_000);
  await pool.query(slow, [0.05, "secret"]);
  await close();
  expect(warn.mock.calls).toEqual([
    [
      {
        statement: "select pg_sleep($1), $2::text, '…' as email",
        ms: expect.any(Number),
        pool: "requests",
        route: "/events/:gameId",
      },
      "slow query",
    ],
  ]);
});

test("commands, which never set a limit, log no slow statement", async () => {
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  await database.pool.query("select pg_sleep(0.05)");
  expect(warn).not.toHaveBeenCalled();
});

test("statements are counted by pool", async () => {
  const { pool, close } = openDatabase(database.connection, 1, undefined, "readiness");
  await pool.query("select 1");
  await close();
  const { values } = await statementSeconds.get();
  const counts = values.filter(({ metricName }) => metricName?.endsWith("_count"));
  expect(counts.map(({ labels }) => labels.pool)).toContain("readiness");
});

test("PostgreSQL shows which process a connection is of, and what for", async () => {
  const { pool, close } = openDatabase(database.connection, 1, undefined, "work");
  const { rows } = await pool.query<{ application_name: string }>("show application_name");
  await close();
  expect(rows[0]?.application_name).toMatch(/^kickabout-work-.+\/\d+$/);
  expect(rows[0]?.application_name).toContain(`/${process.pid}`);
});

test.each([
  ["select  *\n from a", "select * from a"],
  ["select 'it''s' as b", "select '…''…' as b"],
  ["select 1 -- Aino's\n from a where b = 'Aino'", "select 1 from a where b = '…'"],
  [`select "it's" from a where b = 'Aino'`, `select "it's" from a where b = '…'`],
  [
    "select a - 1 from b where c = '-- Aino' and d = 'Aino",
    "select a - 1 from b where c = '…' and d = '…'",
  ],
])("%j is logged as %j", (text, logged) => {
  expect(withoutValues(text)).toBe(logged);
});

test("a connection beside the pools is told apart", async () => {
  const client = await connectWithoutLimits(database.pool);
  const { rows } = await client.query<{ application_name: string }>("show application_name");
  await client.end();
  expect(rows[0]?.application_name).toMatch(/^kickabout-session-/);
});
