import { afterEach, expect, test, vi } from "vitest";
import { sql } from "kysely";
import { useDatabase } from "#test/db.ts";
import { openDatabase } from "#app/platform/db.server.ts";
import { createLog } from "#app/platform/log.server.ts";
import { EACH, STACK_LINES } from "./repeats.server.ts";
import { withinScope } from "./request-scope.server.ts";

afterEach(() => vi.useRealTimers());

/** A log of its own, and its lines. */
function open() {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
  return { ...createLog({ write }), lines };
}

const fail = (message = "connect ECONNREFUSED") =>
  Object.assign(new Error(message), { code: "ECONNREFUSED" });

test("an error that repeats is logged once, and then once a minute with a count", () => {
  vi.useFakeTimers();
  const { log, lines } = open();
  for (let n = 0; n < 1_000; n += 1) log.error({ err: fail(`to port ${n}`) }, "request failed");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ msg: "request failed", err: { message: "to port 0" } });
  vi.advanceTimersByTime(60_000);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatchObject({ msg: "request failed", count: 999 });
  expect(lines[1]!["failure"]).toBe(lines[0]!["failure"]);
  for (let n = 0; n < 5; n += 1) log.error({ err: fail() }, "request failed");
  expect(lines).toHaveLength(2);
  vi.advanceTimersByTime(60_000);
  expect(lines[2]).toMatchObject({ count: 5 });
});

test("after a quiet minute an error is logged in full again, at once", () => {
  vi.useFakeTimers();
  const { log, lines } = open();
  const again = () => log.error({ err: fail() }, "request failed");
  again();
  vi.advanceTimersByTime(60_000);
  again();
  expect(lines).toHaveLength(2);
  expect(lines[1]).not.toHaveProperty("count");
});

test("another error, another message and another level are logged on their own", () => {
  const { log, lines } = open();
  for (let n = 0; n < 3; n += 1) {
    log.error({ err: fail() }, "request failed");
    log.error({ err: fail() }, "rendering");
    log.warn({ err: fail() }, "request failed");
    log.error({ err: new TypeError("no") }, "request failed");
    log.error({ code: "550" }, "job given up");
    log.error({ code: "421" }, "job given up");
    log.error({ type: "terms" }, "no legal page is stored");
    log.error({ type: "privacy" }, "no legal page is stored");
  }
  expect(lines).toHaveLength(8);
});

test("an outage of the database is one kind for each message and queue, however it shows", () => {
  const { log, lines } = open();
  const terminated = new Error("Connection terminated unexpectedly");
  const silent = Object.assign(new Error("no answer"), { code: "DATABASE_TIMEOUT" });
  for (const err of [fail(), terminated, silent]) {
    log.error({ err }, "request failed");
    log.error({ err, queue: "mail.reminder" }, "job failed, to be tried again");
    log.error({ err, queue: "push.send" }, "job failed, to be tried again");
  }
  expect(lines).toHaveLength(3);
});

const database = useDatabase();

/** Each with a place of its own. */
const BUGS: Record<string, () => Promise<unknown>> = {
  "a column": async () => await sql`select nope from games`.execute(database.db),
  "another column": async () => await sql`select nowhere from games`.execute(database.db),
  "in a transaction": async () =>
    await database.db
      .transaction()
      .execute(async (tx) => await sql`select nope from games`.execute(tx)),
  "with a builder": async () =>
    await database.db
      .selectFrom("games")
      .select("nope" as "id")
      .executeTakeFirstOrThrow(),
  "without Kysely": async () => await database.pool.query("select nope from games"),
  "a wrong id": async () => await database.pool.query(BY_ID, ["Aino"]),
  "a slow statement": async () => await slow("select pg_sleep(1), 1"),
  "another slow one": async () => await slow("select pg_sleep(1), 2"),
};
const BY_ID = "select from games where id = $1";

async function slow(statement: string) {
  const client = await database.pool.connect();
  try {
    await client.query("set statement_timeout = 20");
    await client.query(statement);
  } finally {
    client.release(true);
  }
}

test("two bugs of one kind of PostgreSQL's errors are two errors, and one bug is one", async () => {
  const { log, lines } = open();
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = STACK_LINES;
  for (let n = 0; n < 3; n += 1) {
    for (const run of Object.values(BUGS)) {
      await run().catch((err: unknown) => log.error({ err }, "request failed"));
    }
  }
  Error.stackTraceLimit = limit;
  expect(lines).toHaveLength(Object.keys(BUGS).length);
});

test("what somebody has sent makes no error a new one", async () => {
  const { log, lines } = open();
  for (const id of ["Aino", "a b", 'a" b "c', "x\n    at evil (app.ts:1:1)"]) {
    const asked = database.pool.query(BY_ID, [id]);
    await asked.catch((err: unknown) => log.error({ err }, "request failed"));
  }
  expect(lines).toHaveLength(1);
});

test("in an outage it is one error, wherever the database was asked", async () => {
  const { log, lines } = open();
  const away = openDatabase({ host: "127.0.0.1", port: 1 }, 1);
  const asks = [
    () => away.pool.query("select 1"),
    () => sql`select 2`.execute(away.db),
    () => away.db.transaction().execute((tx) => sql`select 3`.execute(tx)),
  ];
  for (const ask of asks) await ask().catch((err: unknown) => log.error({ err }, "request failed"));
  await away.close();
  expect(lines).toHaveLength(1);
});

test("each job that is given up is a line, with its failure", () => {
  const { log, lines } = open();
  for (const id of ["1", "2", "3"]) log.error({ id, err: fail(), [EACH]: true }, "job given up");
  expect(lines.map(({ id }) => id)).toEqual(["1", "2", "3"]);
  expect(new Set(lines.map(({ failure }) => failure)).size).toBe(1);
});

test("jobs whose first failure was held back are named, and another queue is another error", () => {
  const { log, lines, logRepeats } = open();
  for (let n = 1; n <= 200; n += 1) {
    log.error({ err: fail(), queue: "push.send", id: `${n}` }, "job failed, to be tried again");
  }
  log.error({ err: fail(), queue: "mail.answer", id: "m" }, "job failed, to be tried again");
  expect(lines.map(({ queue }) => queue)).toEqual(["push.send", "mail.answer"]);
  logRepeats();
  expect(lines[2]).toMatchObject({ count: 199, queue: "push.send" });
  const ids = Array.from({ length: 50 }, (_, n) => `${n + 2}`);
  expect(lines[2]!["ids"]).toEqual(ids);
});

test("what is no error is never held back", () => {
  const { log, lines } = open();
  for (let n = 0; n < 3; n += 1) {
    log.info({ route: "/events" }, "request");
    log.warn({ event: "sign-in failed" }, "security");
  }
  expect(lines).toHaveLength(6);
});

test("a stop logs what was still being counted", () => {
  const { log, logRepeats, lines } = open();
  for (let n = 0; n < 3; n += 1) log.error({ err: fail() }, "request failed");
  logRepeats();
  expect(lines.map(({ count }) => count)).toEqual([undefined, 2]);
});

test("a request's lines have its id, and its access line leads to an error that was held back", () => {
  const { log, lines } = open();
  const scope = { id: "abc", route: "/events" };
  const other = { id: "def", route: "/wallet" };
  withinScope(scope, () => log.error({ err: fail() }, "request failed"));
  withinScope(other, () => log.error({ err: fail() }, "request failed"));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ requestId: "abc" });
  expect(other).toMatchObject({ failure: lines[0]!["failure"] });
});
