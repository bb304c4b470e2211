import { randomUUID } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import { useDatabase } from "#test/db.ts";
import { findGame, findNextFreeGame, lockGame } from "#app/features/games/games.server.ts";
import { connectWithoutLimits, openDatabase, type Tx } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { statementSeconds } from "./metrics.server.ts";
import { STACK_LINES } from "./repeats.server.ts";
import { withinScope } from "./request-scope.server.ts";
import { askerIn, logSlowStatements, withoutValues } from "./statements.server.ts";

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

test("a statement that no database answers is no slow one", async () => {
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  const { pool, close } = openDatabase(database.connection, 1, undefined, "requests");
  const client = await pool.connect();
  client.on("error", () => {});
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  logSlowStatements(40);
  const asked = client.query("select pg_sleep(60)");
  const isAsked = "select from pg_stat_activity where pid = $1 and query like '%sleep(60)%'";
  await vi.waitUntil(async () => (await database.pool.query(isAsked, [rows[0]!.pid])).rowCount);
  const passed = performance.now() + 50;
  await vi.waitUntil(() => performance.now() > passed);
  const failed = expect(asked).rejects.toThrow(/terminat/);
  await database.pool.query("select pg_terminate_backend($1)", [rows[0]!.pid]);
  await failed;
  client.release(true);
  await close();
  const lines = warn.mock.calls.map(([line]) => (line as { statement: string }).statement);
  expect(lines.filter((statement) => statement.includes("sleep"))).toEqual([]);
});

test("a slow statement is logged with the function that asked it, and the tables behind its columns", async () => {
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  const { db } = database;
  const [id, now] = [randomUUID(), new Date()];
  const usual = Error.stackTraceLimit;
  // A server's own limit.
  Error.stackTraceLimit = STACK_LINES;
  logSlowStatements(0);
  await Promise.all([findGame(db, id, now), findNextFreeGame(db, now)]);
  // Where a function returns its query unawaited, the one that awaits it.
  const decide = async (tx: Tx) => void (await lockGame(tx, id));
  await db.transaction().execute((tx) => decide(tx));
  Error.stackTraceLimit = usual;
  const lines = warn.mock.calls.map(([line]) => line as Record<string, string>);
  for (const [query, tables] of [
    ["findGame", 'from "games" inner join "venues"'],
    ["findNextFreeGame", 'from "games" inner join "venues"'],
    ["decide", 'from "games" where "id" = $1 for update'],
  ] as const) {
    const statements = lines.filter((line) => line.query === query);
    expect(statements.some(({ statement }) => statement?.includes(tables))).toBe(true);
  }
});

// Stacks of the bundle, where there is a file for many modules.
test.each([
  ["findGame", "    at async findGame (file:///srv/build/server/server-build.js:1:2)"],
  ["read", "    at async Object.read (file:///srv/build/server/server-build.js:1:2)"],
  [undefined, "    at async file:///srv/build/server/server-build.js:1:2"],
])("%s is the asker in a stack", (name, line) => {
  const surrounding = "    at watchStatement (file:///srv/build/server/server-build.js:3:4)";
  const library = "    at async execute (file:///srv/node_modules/kysely/dist/a.js:1:2)";
  const all = "    at async Promise.all (index 0)";
  expect(askerIn(["Error", surrounding, library, all, line].join("\n"))).toBe(name);
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

test("a connection beside the pools is counted apart", async () => {
  const client = await connectWithoutLimits(database.pool);
  const { rows } = await client.query<{ application_name: string }>("show application_name");
  await client.end();
  expect(rows[0]?.application_name).toMatch(/^kickabout-session-/);
});
