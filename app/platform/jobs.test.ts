import { expect, test, vi } from "vitest";
import { useDatabase, TEST_SECRET } from "#test/db.ts";
import { openDatabase } from "./db.server.ts";
import { discardWaitingJobs, type JobHandlers } from "./jobs.server.ts";
import { openJobs } from "#app/jobs.server.ts";
import { log } from "./log.server.ts";
import type { NoticeJob } from "./notices.ts";
import { EACH } from "./observability/repeats.server.ts";
import { startSilentProxy } from "#test/database-proxies.ts";

const database = useDatabase();
const waiting = async () =>
  (
    await database.pool.query(
      "select from pgboss.job where name = 'mail.send' and data->>'kind' = 'booking-confirmed'",
    )
  ).rowCount;
const enqueue = (bookingId: string) =>
  database.db
    .transaction()
    .execute((tx) => database.queue.enqueueEmails(tx, "booking-confirmed", [{ bookingId }]));

test("a job exists exactly when its transaction is committed", async () => {
  await enqueue("1");
  expect(await waiting()).toBe(1);
  const rolledBack = database.db.transaction().execute(async (tx) => {
    await database.queue.enqueueEmails(tx, "booking-confirmed", [{ bookingId: "2" }]);
    throw new Error("changed my mind");
  });
  await expect(rolledBack).rejects.toThrow("changed my mind");
  expect(await waiting()).toBe(1);
  await discardWaitingJobs(database.db);
  expect(await waiting()).toBe(0);
});

test("every queue misses a dead process after 30 seconds, also a queue made before", async () => {
  const queues = async () => {
    const { rows } = await database.pool.query(
      `select distinct heartbeat_seconds, expire_seconds, retry_limit, retry_delay_max,
         deletion_seconds
       from pgboss.queue where name like 'mail.%'`,
    );
    return rows;
  };
  await database.pool.query(
    `update pgboss.queue set heartbeat_seconds = null, expire_seconds = 900, retry_limit = 2,
       retry_delay_max = null, deletion_seconds = 604800`,
  );
  const jobs = await openJobs(database.pool, TEST_SECRET);
  await jobs.stop();
  expect(await queues()).toEqual([
    {
      ...{ heartbeat_seconds: 30, expire_seconds: 300, deletion_seconds: 3_600 },
      ...{ retry_limit: 10_000, retry_delay_max: 60 },
    },
  ]);
});

test("a job needs no other connection than its transaction's", async () => {
  // Otherwise those who wait for the transaction could hold the one that it waits for.
  const { db, pool, close } = openDatabase(database.connection, 1);
  const jobs = await openJobs(pool, TEST_SECRET);
  await db
    .transaction()
    .execute((tx) => jobs.enqueueEmails(tx, "game-cancelled", [{ bookingId: "3" }]));
  await jobs.stop();
  await close();
});

test("a job is worked off with what it carries", async () => {
  await discardWaitingJobs(database.db);
  await enqueue("4");
  const jobs = await openJobs(database.pool, TEST_SECRET);
  const worked = new Promise<string>((resolve) => {
    const handle = async ({ bookingId }: { bookingId: string }) => resolve(bookingId);
    void jobs.work({ ...IDLE, "mail.send": handleEmail(handle) });
  });
  expect(await worked).toBe("4");
  await jobs.stop();
});

test("an urgent job wakes those who work", async () => {
  const isUrgent = true;
  const enqueueUrgent = (bookingId: string) =>
    database.db.transaction().execute(async (tx) => {
      await database.queue.enqueueEmails(tx, "booking-confirmed", [{ bookingId }], { isUrgent });
    });
  const jobs = await openJobs(database.pool, TEST_SECRET);
  const worked: string[] = [];
  const handle = async ({ bookingId }: { bookingId: string }) => void worked.push(bookingId);
  // Nobody looks for jobs again before the test is over.
  await jobs.work({ ...IDLE, "mail.send": handleEmail(handle) }, { everySeconds: 3_600 });
  for (const id of ["6", "7", "8"]) {
    await enqueueUrgent(id);
    await vi.waitFor(() => expect(worked.at(-1)).toBe(id));
  }
  await jobs.stop();
});

test("of many emails that wait, links go first, and single ones before those for many", async () => {
  await discardWaitingJobs(database.db);
  const enqueueEach = (ids: string[], when = {}) =>
    database.db.transaction().execute((tx) => {
      const emails = ids.map((bookingId) => ({ bookingId }));
      return database.queue.enqueueEmails(tx, "booking-confirmed", emails, when);
    });
  await enqueueEach(Array.from({ length: 12 }, (_, n) => `many ${n}`));
  await enqueueEach(["single"]);
  await enqueueEach(["link"], { isFirst: true });
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const handle = ({ bookingId }: { bookingId: string }) => {
    begun.push(bookingId);
    return promise;
  };
  const jobs = await openJobs(database.pool, TEST_SECRET);
  await jobs.work({ ...IDLE, "mail.send": handleEmail(handle) });
  await vi.waitFor(() => expect(begun).toHaveLength(10));
  expect(begun).toEqual(expect.arrayContaining(["single", "link"]));
  resolve();
  await vi.waitFor(() => expect(begun).toHaveLength(14));
  await jobs.stop();
});

test("idle workers ask once for all queues, and find a job whose time has come", async () => {
  await discardWaitingJobs(database.db);
  const { pool, close } = openDatabase(database.connection, 2);
  const jobs = await openJobs(pool, TEST_SECRET);
  const worked: string[] = [];
  const handle = async ({ bookingId }: { bookingId: string }) => void worked.push(bookingId);
  await jobs.work({ ...IDLE, "mail.send": handleEmail(handle) }, { everySeconds: 0.2 });
  const enqueueLater = (bookingId: string, delaySeconds: number) =>
    database.db.transaction().execute(async (tx) => {
      await database.queue.enqueueEmails(tx, "booking-confirmed", [{ bookingId }], {
        delaySeconds,
      });
    });
  // By then each queue has been asked at the start, and once there was a listener.
  await enqueueLater("9", 1);
  await vi.waitFor(() => expect(worked).toEqual(["9"]));
  const asked = vi.spyOn(pool, "query");
  await enqueueLater("10", 2);
  await vi.waitFor(() => expect(worked).toEqual(["9", "10"]));
  const texts = asked.mock.calls.map(([text]) => String(text));
  const isPoll = (text: string) => text.includes("unnest");
  expect(texts.filter(isPoll).length).toBeGreaterThan(3);
  expect(texts.filter((text) => !isPoll(text)).length).toBeLessThan(10);
  await jobs.stop();
  await close();
});

test("what is done is stored while another job of its batch goes on, and not done again", async () => {
  await discardWaitingJobs(database.db);
  for (const id of ["slow", "a", "b"]) await enqueue(id);
  const states = async () => {
    const { rows } = await database.pool.query(`
      select data->>'bookingId' as id, state from pgboss.job
      where data->>'bookingId' in ('slow', 'a', 'b') order by 1`);
    return rows.map(({ id, state }) => `${id} ${state}`);
  };
  const { promise, resolve } = Promise.withResolvers<void>();
  const handle = ({ bookingId }: { bookingId: string }) =>
    bookingId === "slow" ? promise : Promise.resolve();
  const jobs = await openJobs(database.pool, TEST_SECRET);
  await jobs.work({ ...IDLE, "mail.send": handleEmail(handle) });
  const meanwhile = ["a completed", "b completed", "slow active"];
  await vi.waitFor(async () => expect(await states()).toEqual(meanwhile));
  // It waits for two seconds, and then leaves what is not done to others.
  await jobs.stop();
  expect(await states()).toEqual(["a completed", "b completed", "slow retry"]);
  resolve();
  await discardWaitingJobs(database.db);
});

test("one that fails keeps why, without the address; at its last try it is given up", async () => {
  const logged = vi.spyOn(log, "error").mockImplementation(() => {});
  await enqueue("5");
  await database.pool.query("update pgboss.job set retry_limit = 1, retry_delay = 0");
  const jobs = await openJobs(database.pool, TEST_SECRET);
  const handle = async () => {
    throw new Error("550 no such box: ada@uni.example");
  };
  await jobs.work({ ...IDLE, "mail.send": handleEmail(handle) });
  const failed = "select output from pgboss.job where state = 'failed'";
  const rows = async () => (await database.pool.query(failed)).rows;
  await vi.waitFor(async () => expect(await rows()).toHaveLength(1));
  await jobs.stop();
  expect(await rows()).toMatchObject([{ output: { message: "550 no such box: [address]" } }]);
  const output = logged.mock.calls.map(([, message]) => message);
  expect(output).toEqual(["job failed, to be tried again", "job given up"]);
  // Also beside others that are given up for the same reason.
  const isEach = logged.mock.calls.map(([facts]) => EACH in (facts as object));
  expect(isEach).toEqual([false, true]);
  logged.mockRestore();
});

test("an outage is logged when it begins and when it is over, not at each poll", async () => {
  const logged = vi.spyOn(log, "error").mockImplementation(() => {});
  const informed = vi.spyOn(log, "info").mockImplementation(() => {});
  const proxy = await startSilentProxy(database.connection);
  const { pool, close } = openDatabase(proxy.connection, 2);
  const jobs = await openJobs(pool, TEST_SECRET);
  await jobs.work(IDLE, { everySeconds: 0.1 });
  proxy.closeAll();
  const polls = vi.spyOn(pool, "query");
  await vi.waitFor(() => expect(polls.mock.calls.length).toBeGreaterThan(16));
  proxy.letThrough();
  await vi.waitFor(() => expect(informed).toHaveBeenCalled());
  await jobs.stop();
  await close();
  await proxy.close();
  expect(logged.mock.calls.map(([, message]) => message)).toEqual([
    "jobs paused: the database does not answer",
  ]);
  expect(informed.mock.calls.flat()).toEqual(["jobs resumed: the database answers again"]);
  vi.restoreAllMocks();
});

test("the token of a link cannot be read while it is stored, and reaches the handler", async () => {
  const logged = vi.spyOn(log, "warn").mockImplementation(() => {});
  await discardWaitingJobs(database.db);
  const send = async (secret: string, userId: string) => {
    const jobs = await openJobs(database.pool, secret);
    const data = { userId, token: `token-of-${userId}` };
    await database.db
      .transaction()
      .execute((tx) => jobs.enqueueEmails(tx, "reset-password", [data]));
    await jobs.stop();
  };
  await send(TEST_SECRET, "ada");
  await send("a secret from before it was changed", "ben");
  const stored =
    "select data - 'kind' as data from pgboss.job where name = 'mail.send' and data->>'kind' = 'reset-password'";
  expect(JSON.stringify((await database.pool.query(stored)).rows)).not.toContain("token-of");
  await database.pool.query(`insert into pgboss.job (name, data) values ('mail.send', $1)`, [
    { kind: "reset-password", userId: "cleo", token: "plain, as jobs from before" },
  ]);
  const jobs = await openJobs(database.pool, TEST_SECRET);
  const tokens: Record<string, string> = {};
  const handle = async ({ userId, token }: { userId: string; token: string }) => {
    tokens[userId] = token;
  };
  await jobs.work({ ...IDLE, "mail.send": handleEmail(handle) });
  const open =
    "select from pgboss.job where name = 'mail.send' and data->>'kind' = 'reset-password' and state <> 'completed'";
  await vi.waitFor(async () => expect((await database.pool.query(open)).rowCount).toBe(0));
  await jobs.stop();
  expect(tokens).toEqual({ ada: "token-of-ada", cleo: "plain, as jobs from before" });
  expect(logged.mock.calls.map(([, message]) => message)).toEqual([
    "job dropped: its token was sealed with another SESSION_SECRET",
  ]);
  logged.mockRestore();
});

/** For jobs of one kind, which the test has queued. */
const handleEmail = (handle: (data: never) => Promise<void>) => (job: NoticeJob) =>
  handle(job as never);
const nothing = async () => {};
const IDLE: JobHandlers = {
  "mail.send": nothing,
  "mail.news": nothing,
  "mail.important-announcement": nothing,
  "mail.account-deleted": nothing,
  "push.send": nothing,
  "waitlist.promote": nothing,
  "games.refund": nothing,
  "payment.join": nothing,
};
