import { expect, test, vi } from "vitest";
import { useDatabase } from "../../test/db.ts";
import { openDatabase } from "./db.server.ts";
import { discardWaitingJobs, type JobHandlers, openJobs } from "./jobs.server.ts";
import { log } from "./log.server.ts";

const world = useDatabase();
const waiting = async () =>
  (await world.pool.query("select from pgboss.job where name = 'mail.booking-confirmed'")).rowCount;
const enqueue = (bookingId: string) =>
  world.db
    .transaction()
    .execute((tx) => world.jobs.enqueue(tx, "mail.booking-confirmed", { bookingId }));

test("a job exists exactly when its transaction is committed", async () => {
  await enqueue("1");
  expect(await waiting()).toBe(1);
  const rolledBack = world.db.transaction().execute(async (tx) => {
    await world.jobs.enqueue(tx, "mail.booking-confirmed", { bookingId: "2" });
    throw new Error("changed my mind");
  });
  await expect(rolledBack).rejects.toThrow("changed my mind");
  expect(await waiting()).toBe(1);
  await discardWaitingJobs(world.db);
  expect(await waiting()).toBe(0);
});

test("every queue misses a dead process after 30 seconds, also a queue made before", async () => {
  const queues = async () => {
    const { rows } = await world.pool.query(
      `select distinct heartbeat_seconds, expire_seconds, retry_limit, retry_delay_max,
         deletion_seconds
       from pgboss.queue where name like 'mail.%'`,
    );
    return rows;
  };
  await world.pool.query(
    `update pgboss.queue set heartbeat_seconds = null, expire_seconds = 900, retry_limit = 2,
       retry_delay_max = null, deletion_seconds = 604800`,
  );
  const jobs = await openJobs(world.pool);
  await jobs.stop();
  expect(await queues()).toEqual([
    {
      ...{ heartbeat_seconds: 30, expire_seconds: 300, deletion_seconds: 3_600 },
      ...{ retry_limit: 32, retry_delay_max: 3_600 },
    },
  ]);
});

test("a job needs no other connection than its transaction's", async () => {
  // Otherwise those who wait for the transaction could hold the one that it waits for.
  const { db, pool, close } = openDatabase(world.connection, 1);
  const jobs = await openJobs(pool);
  await db
    .transaction()
    .execute((tx) => jobs.enqueue(tx, "mail.game-cancelled", { bookingId: "3" }));
  await jobs.stop();
  await close();
});

test("a job is worked off with what it carries", async () => {
  await enqueue("4");
  const jobs = await openJobs(world.pool);
  const worked = new Promise<string>((resolve) => {
    const handle = async ({ bookingId }: { bookingId: string }) => resolve(bookingId);
    void jobs.work({ ...IDLE, "mail.booking-confirmed": handle });
  });
  expect(await worked).toBe("4");
  await jobs.stop();
});

test("one that fails keeps why, without the address; at its last try it is given up", async () => {
  const logged = vi.spyOn(log, "error").mockImplementation(() => {});
  await enqueue("5");
  await world.pool.query("update pgboss.job set retry_limit = 1, retry_delay = 0");
  const jobs = await openJobs(world.pool);
  const handle = async () => {
    throw new Error("550 no such box: ada@uni.example");
  };
  await jobs.work({ ...IDLE, "mail.booking-confirmed": handle });
  const failed = "select output from pgboss.job where state = 'failed'";
  const rows = async () => (await world.pool.query(failed)).rows;
  await vi.waitFor(async () => expect(await rows()).toHaveLength(1), 15_000);
  await jobs.stop();
  expect(await rows()).toMatchObject([{ output: { message: "550 no such box: [address]" } }]);
  const said = logged.mock.calls.map(([, message]) => message);
  expect(said).toEqual(["job failed, to be tried again", "job given up"]);
  logged.mockRestore();
});

const nothing = async () => {};
const IDLE: JobHandlers = {
  "mail.confirm-address": nothing,
  "mail.account-exists": nothing,
  "mail.reset-password": nothing,
  "mail.account-security": nothing,
  "mail.booking-confirmed": nothing,
  "mail.booking-cancelled": nothing,
  "mail.game-cancelled": nothing,
  "mail.game-changed": nothing,
  "mail.added-to-game": nothing,
  "mail.removed-from-game": nothing,
  "mail.game-message": nothing,
  "mail.support-message": nothing,
  "mail.review": nothing,
  "mail.withdrawal": nothing,
  "mail.answer": nothing,
  "mail.account-deleted": nothing,
};
