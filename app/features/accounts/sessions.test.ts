import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { addAccount } from "#test/accounts.ts";
import { findSession, listSignedIn } from "./sessions.server.ts";

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;
const database = useDatabase(12);
let app: ReturnType<typeof testApp>;
beforeAll(() => {
  app = testApp(database);
});

async function signedIn() {
  const account = await addAccount(app);
  const { token, expiresAt } = await app.accounts.openSession(account.userId);
  return { ...account, token, expiresAt };
}
const later = (ms: number) => new Date(Date.now() + ms);

// spec: 3.7, 7.8
test("a session is found by its token and identifies its user", async () => {
  const { token, email, userId, expiresAt } = await signedIn();
  expect(await findSession(app.db, token, new Date())).toEqual({
    userId,
    sessionId: expect.any(String),
    email,
    firstName: "Ada",
    lastName: "Player",
    balanceCents: 0,
    debtCents: 0,
    isAdmin: false,
    hasSecondFactor: false,
    passedSecondFactor: false,
    profilePictureUrl: null,
    renewedUntil: null,
  });
  expect(Math.round((expiresAt.getTime() - Date.now()) / DAY)).toBe(30);
});

test("the tables hold no token that would sign in", async () => {
  const { token, userId } = await signedIn();
  const stored = await app.db
    .selectFrom("sessions")
    .selectAll()
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  expect(stored.token).not.toBe(token);
  expect(await findSession(app.db, stored.token, new Date())).toBeNull();
});

// spec: 3.6, 4.3, 6.8, 7.6
test("the admin role is read each time", async () => {
  const { token, userId } = await signedIn();
  await app.db.insertInto("user_roles").values({ user_id: userId, role: "admin" }).execute();
  expect((await findSession(app.db, token, new Date()))?.isAdmin).toBe(true);
  await app.db.deleteFrom("user_roles").where("user_id", "=", userId).execute();
  expect((await findSession(app.db, token, new Date()))?.isAdmin).toBe(false);
});

// spec: 4.7, 9.37
test("a session is extended to 30 days at most once a day", async () => {
  const { token } = await signedIn();
  expect((await findSession(app.db, token, later(DAY - HOUR)))?.renewedUntil).toBeNull();
  const at = later(DAY + HOUR);
  const renewed = await findSession(app.db, token, at);
  expect(renewed?.renewedUntil).toEqual(new Date(at.getTime() + 30 * DAY));
  expect((await findSession(app.db, token, at))?.renewedUntil).toBeNull();
  expect(await findSession(app.db, token, later(30 * DAY + 2 * HOUR))).not.toBeNull();
});

test("one of several concurrent requests renews the session", async () => {
  const { token } = await signedIn();
  const at = later(2 * DAY);
  const found = await Promise.all(Array.from({ length: 8 }, () => findSession(app.db, token, at)));
  expect(found.filter((session) => session?.renewedUntil)).toHaveLength(1);
  expect(found.every(Boolean)).toBe(true);
});

// spec: 4.6, 8.10
test("a session that expired, was closed or is made up is not valid", async () => {
  const { token } = await signedIn();
  expect(await findSession(app.db, token, later(30 * DAY + HOUR))).toBeNull();
  expect(await findSession(app.db, "made-up", new Date())).toBeNull();
  await app.accounts.closeSession(token);
  expect(await findSession(app.db, token, new Date())).toBeNull();
  await expect(app.accounts.closeSession(token)).resolves.toBeUndefined();
});

test("expired sessions are deleted when later ones open", async () => {
  const { userId } = await signedIn();
  const ofUser = app.db.selectFrom("sessions").select("id").where("user_id", "=", userId);
  await app.db
    .updateTable("sessions")
    .set({ expires_at: later(-HOUR) })
    .where("user_id", "=", userId)
    .execute();
  await signedIn();
  expect(await ofUser.execute()).toEqual([]);
});

const makeAdmin = (userId: string) =>
  app.db.insertInto("user_roles").values({ user_id: userId, role: "admin" }).execute();

// spec: 4.6
test("a session ends 90 days after it began, however much it is used", async () => {
  const { token } = await signedIn();
  for (const day of [25, 50, 75]) {
    expect(await findSession(app.db, token, later(day * DAY))).not.toBeNull();
  }
  const last = await findSession(app.db, token, later(89 * DAY));
  const end = last!.renewedUntil!.getTime();
  expect(Math.round((end - Date.now()) / HOUR)).toBe(90 * 24);
  expect(await findSession(app.db, token, later(90 * DAY + HOUR))).toBeNull();
});

test("the 90 days also apply to sessions that an older version renewed", async () => {
  const { token, userId } = await signedIn();
  const row = app.db.updateTable("sessions").set({ expires_at: later(300 * DAY) });
  await row.where("user_id", "=", userId).execute();
  expect(await findSession(app.db, token, later(91 * DAY))).toBeNull();
});

// spec: 4.6
test("an admin's session ends after 12 hours without use, and is kept by using it", async () => {
  const { userId } = await addAccount(app);
  await makeAdmin(userId);
  const { token, expiresAt } = await app.accounts.openSession(userId);
  expect(Math.round((expiresAt.getTime() - Date.now()) / HOUR)).toBe(12);
  expect((await findSession(app.db, token, later(9 * 60_000)))?.renewedUntil).toBeNull();
  for (const hour of [11, 22, 33]) {
    const used = await findSession(app.db, token, later(hour * HOUR));
    expect(used?.renewedUntil).toEqual(expect.any(Date));
    const lasts = used!.renewedUntil!.getTime() - Date.now();
    expect(Math.round(lasts / HOUR)).toBe(hour + 12);
  }
  expect(await findSession(app.db, token, later(46 * HOUR))).toBeNull();
});

test("the 12-hour limit follows the admin role at once", async () => {
  const { token, userId } = await signedIn();
  const at = later(13 * HOUR);
  expect(await findSession(app.db, token, at)).not.toBeNull();
  await makeAdmin(userId);
  expect(await findSession(app.db, token, at)).toBeNull();
  await app.db.deleteFrom("user_roles").where("user_id", "=", userId).execute();
  expect(await findSession(app.db, token, at)).not.toBeNull();
});

test("with more than fifty sessions the least recently used one ends", async () => {
  const { userId } = await addAccount(app);
  const open = (n: number) => app.accounts.openSession(userId, { now: later(n * HOUR) });
  const first = await open(0);
  for (let n = 1; n < 50; n += 1) await open(n);
  expect(await findSession(app.db, first.token, later(50 * HOUR))).not.toBeNull();
  await findSession(app.db, first.token, later(2 * DAY));
  const { token } = await open(51);
  const sessions = app.db.selectFrom("sessions").select("id").where("user_id", "=", userId);
  expect(await sessions.execute()).toHaveLength(50);
  for (const one of [token, first.token]) {
    expect(await findSession(app.db, one, later(52 * HOUR))).not.toBeNull();
  }
});

describe("of many sessions at once", () => {
  const found = async (token: string, at = new Date()) =>
    (await listSignedIn(app.db, [token], at)).get(token) ?? null;

  test("those who are signed in are found by their tokens, whatever else is asked for", async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    await makeAdmin(other.userId);
    const madeUp = Array.from({ length: 2_500 }, (_, n) => `made-up-${n}`);
    const asked = [one.token, one.token, ...madeUp, other.token];
    const noFactor = { hasSecondFactor: false, passedSecondFactor: false };
    expect(await listSignedIn(app.db, asked, new Date())).toEqual(
      new Map([
        [one.token, { userId: one.userId, isAdmin: false, ...noFactor }],
        [other.token, { userId: other.userId, isAdmin: true, ...noFactor }],
      ]),
    );
    expect(await listSignedIn(app.db, [], new Date())).toEqual(new Map());
  });

  test("one that has ended, expired or belongs to a suspended or deleted account is none", async () => {
    const [closed, suspended, deleted] = [await signedIn(), await signedIn(), await signedIn()];
    for (const { token } of [closed, suspended, deleted]) expect(await found(token)).not.toBeNull();
    expect(await found(closed.token, later(31 * DAY))).toBeNull();
    await app.accounts.closeSession(closed.token);
    expect(await found(closed.token)).toBeNull();
    const users = app.db.updateTable("users").where("id", "=", suspended.userId);
    await users.set({ suspended_at: new Date(), suspended_reason: "Fights" }).execute();
    expect(await found(suspended.token)).toBeNull();
    const profiles = app.db.updateTable("profiles").where("user_id", "=", deleted.userId);
    await profiles.set({ deleted_at: new Date() }).execute();
    expect(await found(deleted.token)).toBeNull();
  });

  test("an admin's session ends after 12 hours without use, a player's does not", async () => {
    const { token, userId } = await signedIn();
    expect(await found(token, later(13 * HOUR))).not.toBeNull();
    await makeAdmin(userId);
    expect(await found(token, later(13 * HOUR))).toBeNull();
  });
});
