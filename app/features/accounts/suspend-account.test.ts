import { beforeAll, describe, expect, test } from "vitest";
import { mailJobs } from "#test/notices.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, ada, NOW } from "#test/fixtures.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { addAccount, PASSWORD } from "#test/accounts.ts";
import type { Mail } from "#app/platform/mail.server.ts";
import {
  changeRole,
  makeAdmin,
  suspendAccount,
  unsuspendAccount,
} from "./account-status.server.ts";
import { findSession } from "./sessions.server.ts";
import { signIn } from "./sign-in.server.ts";

const database = useDatabase();
let app: ReturnType<typeof testApp>;
let admin: string;
beforeAll(async () => {
  app = testApp(database);
  admin = await anAdmin();
});

async function anAdmin() {
  const { userId, email } = await addAccount(app);
  await makeAdmin(app.db, email, "test");
  return userId;
}
const suspend = (userId: string, actor = admin) =>
  suspendAccount(app.db, app.jobs, { userId, reason: "Fights on the pitch", actor }, NOW);
const unsuspend = (userId: string) =>
  unsuspendAccount(app.db, app.jobs, { userId, actor: admin }, NOW);
const enter = (email: string, password = PASSWORD) =>
  signIn(app, { email, password, address: "192.0.2.1", device: null }, new Date());
const entriesOf = (subject: string) =>
  app.db
    .selectFrom("audit_log")
    .select(["actor", "action", "details"])
    .where("subject", "=", subject)
    .where("action", "like", "account.%")
    .orderBy("id")
    .execute();

test("a suspension ends every session at once, and the password no longer signs in", async () => {
  const { userId, email } = await addAccount(app);
  const sessions = [await app.accounts.openSession(userId), await app.accounts.openSession(userId)];
  expect(await suspend(userId)).toEqual({ ok: true });
  for (const { token } of sessions) expect(await findSession(app.db, token, NOW)).toBeNull();
  const left = app.db.selectFrom("sessions").select("id").where("user_id", "=", userId);
  expect(await left.execute()).toEqual([]);
  expect(await enter(email)).toEqual({ ok: false, reason: "suspended" });
  expect(await enter(email, "Wrong1234")).toEqual({ ok: false, reason: "wrong-credentials" });
});

test("a session opened during a suspension is not valid, then or later", async () => {
  const { userId, email } = await addAccount(app);
  await suspend(userId);
  const { token } = await app.accounts.openSession(userId);
  expect(await findSession(app.db, token, NOW)).toBeNull();
  expect(await unsuspend(userId)).toBe(true);
  expect(await findSession(app.db, token, NOW)).toBeNull();
  expect(await enter(email)).toMatchObject({ ok: true });
});

test("a request under way joins no game; existing bookings stay", async () => {
  const playerId = await ada(app.db);
  const [booked, other] = [await aGame(app.db), await aGame(app.db)];
  const join = (gameId: string) => joinGame(app.db, app.jobs, { gameId, playerId, now: NOW });
  expect(await join(booked)).toMatchObject({ ok: true });
  await suspend(playerId);
  expect(await join(other)).toEqual({ ok: false, reason: "suspended" });
  const bookings = app.db.selectFrom("bookings").select("payment_status");
  expect(await bookings.where("user_id", "=", playerId).execute()).toEqual([
    { payment_status: "Paid" },
  ]);
  await unsuspend(playerId);
  expect(await join(other)).toMatchObject({ ok: true });
});

test("both actions are recorded once, and the log holds no reason", async () => {
  const { userId } = await addAccount(app);
  await suspend(userId);
  expect(await suspend(userId)).toEqual({ ok: false, reason: "already" });
  await unsuspend(userId);
  expect(await unsuspend(userId)).toBe(true);
  const [off, on] = [{ isSuspended: false }, { isSuspended: true }];
  expect(await entriesOf(userId)).toEqual([
    { actor: admin, action: "account.suspend", details: { before: off, after: on } },
    { actor: admin, action: "account.unsuspend", details: { before: on, after: off } },
  ]);
});

test("both are notified by email, once each and without the reason", async () => {
  const { userId, email } = await addAccount(app);
  await suspend(userId);
  await suspend(userId);
  await unsuspend(userId);
  await unsuspend(userId);
  const { rows: queued } = await database.pool.query<{ kind: string; at: string }>(
    `select data->>'kind' as kind, data->>'at' as at from pgboss.job where data->>'userId' = $1
     order by created_on, kind`,
    [userId],
  );
  const at = NOW.toISOString();
  expect(queued).toEqual([
    { kind: "account-suspended", at },
    { kind: "suspension-lifted", at },
  ]);
  const sent: Mail[] = [];
  const mailer = async (mail: Mail) => void sent.push(mail);
  const jobs = mailJobs({ ...app, mailer });
  await jobs["account-suspended"]({ userId, at });
  await jobs["suspension-lifted"]({ userId, at });
  expect(sent.map((mail) => [mail.to, mail.subject])).toEqual([
    [email, "Your Kickabout account is suspended"],
    [email, "Your Kickabout account is open again"],
  ]);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
  expect(sent[0]?.text).toContain("suspended your Kickabout account on Nov 21, 2026, 12:00");
  expect(sent[0]?.text).toContain(app.env.contactEmail);
  for (const { text, html } of sent) expect(text + html).not.toContain("Fights");
});

describe("rejected", () => {
  test("oneself, an unknown user and an invalid id", async () => {
    expect(await suspend(admin)).toEqual({ ok: false, reason: "self" });
    for (const userId of [crypto.randomUUID(), "x", ""]) {
      expect(await suspend(userId)).toEqual({ ok: false, reason: "gone" });
      expect(await unsuspend(userId)).toBe(false);
    }
  });

  test("the last admin who can sign in; suspended ones do not count", async () => {
    const other = await anAdmin();
    expect(await suspend(other)).toEqual({ ok: true });
    expect(await suspend(admin, other)).toEqual({ ok: false, reason: "last-admin" });
    const resign = { userId: admin, isAdmin: false, actor: admin };
    expect(await changeRole(app.db, resign)).toEqual({ ok: false, reason: "last-admin" });
    await unsuspend(other);
    expect(await suspend(admin, other)).toEqual({ ok: true });
    await unsuspendAccount(app.db, app.jobs, { userId: admin, actor: other }, NOW);
  });
});
