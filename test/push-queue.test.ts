import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { testApp } from "./app.ts";
import { useDatabase } from "./db.ts";
import { aBooking } from "./notifications.ts";
import { aDevice, openPushService } from "./push-service.ts";
import { log } from "#app/platform/log.server.ts";
import { startWorker } from "../worker.ts";

const database = useDatabase();
let service: Awaited<ReturnType<typeof openPushService>>;
beforeAll(async () => {
  service = await openPushService();
});
afterAll(() => service.close());

/** A change of a game that waits to be pushed, in a time that does not end. */
async function aWaitingPush() {
  const { playerId, bookingId } = await aBooking(database, { startsIn: 300 });
  const { id } = await aDevice(database.db, playerId, `${service.origin}/${bookingId}`);
  await database.pool.query(
    "update sessions set expires_at = '2999-01-01'; update games set date = '2998-01-01'",
  );
  const push = { subscriptionId: id, subjectId: bookingId, version: "2" };
  await database.db.transaction().execute(async (tx) => {
    await database.queue.enqueue(tx, "push.send", { ...push, kind: "game-changed" });
  });
}

async function countJobs(where: string) {
  const { rows } = await database.pool.query(
    `select count(*)::int as n from pgboss.job where ${where}`,
  );
  return rows[0].n;
}

test("push messages wait for no mail server, are tried again, and given up after a day", async () => {
  const logged = vi.spyOn(log, "error").mockImplementation(() => {});
  await database.pool.query("insert into mail_outage default values");
  await aWaitingPush();
  const { env, db } = testApp(database);
  await startWorker({ env, db, jobs: database.queue }, []);
  const isDone = "name = 'push.send' and state = 'completed'";
  await vi.waitFor(async () => expect(await countJobs(isDone)).toBe(1));
  expect(service.pushed).toHaveLength(1);
  service.mood.status = 503;
  await aWaitingPush();
  const isWaiting = "name = 'push.send' and state = 'retry'";
  await vi.waitFor(async () => expect(await countJobs(isWaiting)).toBe(1));
  await database.pool.query(
    `update pgboss.job set created_on = now() - interval '25 hours', start_after = now()
     where ${isWaiting}`,
  );
  const isGivenUp = "name = 'push.send' and state = 'failed'";
  await vi.waitFor(async () => expect(await countJobs(isGivenUp)).toBe(1));
  expect(service.pushed).toHaveLength(3);
  expect(await countJobs("name = 'failed-mails' and source_name = 'push.send'")).toBe(0);
  expect(logged.mock.calls.map(([, message]) => message)).toEqual([
    "job failed, to be tried again",
    "job given up",
  ]);
});
