import { sql } from "kysely";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { useDatabase } from "#test/db.ts";
import { urlOf } from "#test/postgres.ts";
import { type Db, openDatabase } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { openReplica, type Replica } from "./replica.server.ts";

const [database, other] = [useDatabase(), useDatabase()];
const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
let replica: Replica | undefined;

/** A database that says of itself that it is a replica and has everything; it counts the questions. */
const ACTS_AS_REPLICA = `
  create sequence asked;
  create function public.pg_last_wal_replay_lsn() returns pg_lsn language sql
    as 'select nextval(''asked''); select pg_current_wal_lsn()'`;

beforeAll(async () => {
  await database.pool.query(ACTS_AS_REPLICA);
  await other.pool.query(ACTS_AS_REPLICA);
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  warn.mockClear();
});
afterEach(async () => {
  await replica?.close();
  vi.useRealTimers();
});

function open(at = database) {
  const url = new URL(urlOf(at.connection));
  // Its functions come before PostgreSQL's own.
  url.searchParams.set("options", "-c search_path=public,pg_catalog");
  const requests = openDatabase(database.connection, 1, undefined, "requests");
  const primary = { requests: requests.db, work: database.db };
  const opened = openReplica(url.href, primary, 2);
  const close = () => Promise.all([opened.close(), requests.close()]).then(() => {});
  return (replica = { ...opened, close });
}

const NAME = sql<{ pool: string }>`
  select split_part(current_setting('application_name'), '-', 2) as pool`;
const askName = async (db: Db) => (await NAME.execute(db)).rows[0]!.pool;

/** Beats that have begun after this one have ended. */
async function untilAskedAgain(at = database) {
  const count = async () => {
    const { rows } = await at.pool.query("select last_value as count from asked");
    return rows[0]!.count as number;
  };
  const before = await count();
  await until(async () => (await count()) > before + 1);
}

/** `vi.waitFor` would move the clock. */
async function until(isSo: () => Promise<boolean>) {
  while (!(await isSo())) await database.pool.query("select pg_sleep(0.02)");
}

test.each([
  ["takes too long", "57014"],
  ["fails, where the primary answers", "42P01"],
])(
  "a replica at which a read %s is left for ten seconds, and the log says why",
  async (_, code) => {
    const { read } = open();
    await until(async () => (await read(askName)) === "replica");
    const failure = Object.assign(new Error("not here"), { code });
    const pool = await read(async (db) => {
      if ((await askName(db)) === "replica") throw failure;
      return askName(db);
    });
    expect(pool).toBe("requests");
    vi.advanceTimersByTime(9_999);
    await untilAskedAgain();
    expect(await read(askName)).toBe("requests");
    expect(warn.mock.calls).toEqual([
      [{ err: failure }, expect.stringContaining("the replica is")],
    ]);
    vi.advanceTimersByTime(1);
    await untilAskedAgain();
    expect(await read(askName)).toBe("replica");
  },
);

test("a read that fails at both is the question's fault", async () => {
  const { read } = open();
  await until(async () => (await read(askName)) === "replica");
  const failed = read((db) => sql`select from nowhere`.execute(db));
  await expect(failed).rejects.toMatchObject({ code: "42P01" });
  expect(await read(askName)).toBe("replica");
});

test.each(["another database", "another cluster"])(
  "the address of %s is not used, and the log says so once the start is over",
  async (kind) => {
    const isCluster = kind === "another cluster";
    if (isCluster) {
      await database.pool
        .query(`create function public.pg_control_system(out system_identifier bigint)
        language sql as 'select 1::bigint'`);
    }
    const { read } = open(isCluster ? database : other);
    await untilAskedAgain(isCluster ? database : other);
    expect(await read(askName)).toBe("requests");
    expect(warn).not.toHaveBeenCalled();
    vi.advanceTimersByTime(5_000);
    await until(async () => warn.mock.calls.length > 0);
    const err = expect.objectContaining({ message: expect.stringContaining("is no replica of") });
    expect(warn.mock.calls).toEqual([[{ err }, expect.stringContaining("the replica is")]]);
    await database.pool.query("drop function if exists public.pg_control_system");
  },
);
