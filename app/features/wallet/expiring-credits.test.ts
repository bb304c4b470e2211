import { beforeEach, expect, test } from "vitest";
import { mailJobs, pushOf } from "#test/notices.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aPlayer, hoursLater, NOW } from "#test/fixtures.ts";
import { waitingEmails, waitingIn } from "#test/notifications.ts";
import { aDevice } from "#test/push-service.ts";
import { switchEmail } from "#app/features/notifications/settings.server.ts";
import type { Mail } from "#app/platform/mail.server.ts";
import { notifyOfExpiringCredits } from "./expiring-credits.server.ts";
import { topUp } from "./ledger.server.ts";

const database = useDatabase();
beforeEach(async () => {
  await database.pool.query(
    `delete from notifications_sent; update credit_lots set expires_at = null;
     do $$ begin if to_regclass('pgboss.job') is not null then delete from pgboss.job; end if; end $$`,
  );
});

const days = (count: number) => hoursLater(24 * count);
const look = (now: Date) => notifyOfExpiringCredits(database.db, database.jobs, now);
const queued = () => waitingEmails(database, "credits-expiring");

/** A player with one lot, or several, that expire then. */
async function holding(expiresAt: Date, { lots = 1 } = {}) {
  const userId = await aPlayer(database.db, { name: "Ada" });
  for (let n = 0; n < lots; n += 1) {
    await topUp(database.db, { userId, amountCents: 600, key: crypto.randomUUID() });
  }
  const rows = database.db.updateTable("credit_lots").where("user_id", "=", userId);
  await rows.set({ expires_at: expiresAt }).execute();
  return userId;
}

async function mailsAt(now: Date) {
  const sent: Mail[] = [];
  const app = testApp(database, () => now);
  const jobs = mailJobs({ ...app, mailer: async (mail) => void sent.push(mail) });
  for (const job of await queued()) await jobs["credits-expiring"](job);
  return sent;
}

test("a week before credits expire the player reads how many", async () => {
  const userId = await holding(days(7));
  await look(hoursLater(-0.1));
  expect(await queued()).toEqual([]);
  await look(NOW);
  await look(hoursLater(0.1));
  expect(await queued()).toHaveLength(1);
  const [mail] = await mailsAt(NOW);
  expect(mail?.subject).toBe("Use 6 credits by Nov 28, 12:00");
  expect(mail?.text).toContain("What you don't use by then expires.");
  expect(mail?.headers?.["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
  const { version } = (await queued())[0]!;
  expect(await pushOf(database, "credits-expiring", [userId, version])).toMatchObject({
    title: "Use 6 credits by Nov 28, 12:00",
    url: "/events",
    until: days(7),
  });
});

test("credits that expire within a second count, to the last millisecond of it", async () => {
  await holding(new Date(days(6).getTime() + 600));
  await look(NOW);
  expect((await mailsAt(NOW)).map(({ subject }) => subject)).toEqual([
    "Use 6 credits by Nov 27, 12:00",
  ]);
});

test("lots of one moment are one email, and each device gets a message", async () => {
  const userId = await holding(days(6), { lots: 3 });
  for (const name of ["a", "b"]) {
    await aDevice(database.db, userId, `https://push.example/${name}`);
  }
  await Promise.all([look(NOW), look(NOW), look(NOW)]);
  expect((await mailsAt(NOW)).map(({ subject }) => subject)).toEqual([
    "Use 18 credits by Nov 27, 12:00",
  ]);
  expect(await waitingIn(database, "push.send")).toHaveLength(2);
});

test("credits that are spent by then are none, and neither are those of a deleted account", async () => {
  const userId = await holding(days(7));
  await look(NOW);
  await database.pool.query("update credit_lots set remaining_eur = 0 where user_id = $1", [
    userId,
  ]);
  expect(await mailsAt(NOW)).toEqual([]);
  await database.pool.query("delete from notifications_sent; delete from pgboss.job");
  await look(NOW);
  expect(await queued()).toEqual([]);
  const gone = await holding(days(7));
  await look(NOW);
  const profiles = database.db.updateTable("profiles").where("user_id", "=", gone);
  await profiles.set({ deleted_at: NOW }).execute();
  expect(await mailsAt(NOW)).toEqual([]);
});

test("at night nothing is sent, in the hour before it also what is due until morning", async () => {
  await holding(new Date(days(7).getTime() + 15 * 3_600_000));
  for (const hours of [8.9, 10, 15, 19.9]) {
    await look(hoursLater(hours));
    expect(await queued(), `${hours}`).toEqual([]);
  }
  await look(hoursLater(9));
  expect(await queued()).toHaveLength(1);
  expect(await mailsAt(days(8))).toEqual([]);
});

test("who wants no such emails gets none", async () => {
  const userId = await holding(days(7));
  await look(NOW);
  await switchEmail(database.db, { userId, kind: "credits-expiring" }, false);
  expect(await mailsAt(NOW)).toEqual([]);
});
