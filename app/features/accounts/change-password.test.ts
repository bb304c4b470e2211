import { beforeAll, expect, test, vi } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { addAccount, FORMER_HASH, PASSWORD, waitingJobs } from "#test/accounts.ts";
import type { Accounts } from "./accounts.server.ts";
import { changePassword, requestReset, resetPassword } from "./change-password.server.ts";
import { consumeLink } from "./mail-links.server.ts";
import { findSession } from "./sessions.server.ts";
import { signIn } from "./sign-in.server.ts";
import { replaceHash, setPassword } from "./passwords.server.ts";

const database = useDatabase(12);
const start = new Date();
const NEW = "Another2Password";
const address = "192.0.2.1";
let app: ReturnType<typeof testApp>;
beforeAll(() => {
  app = testApp(database);
});

async function signedIn() {
  const account = await addAccount(app);
  const { token } = await app.accounts.openSession(account.userId);
  const session = await findSession(app.db, token, start);
  return { ...account, token, sessionId: session?.sessionId ?? "" };
}
type Account = Awaited<ReturnType<typeof signedIn>>;
const change = (account: Account, password = PASSWORD, newPassword = NEW, now = start) =>
  changePassword(app, { ...account, password, newPassword, address, device: null }, now);
const enter = (email: string, password: string) =>
  signIn(app, { email, password, address, device: null }, start);

// spec: 7.5
test("a password change keeps only this session and the new password", async () => {
  const account = await signedIn();
  const phone = await app.accounts.openSession(account.userId);
  const stranger = await signedIn();
  const changed = await change(account);
  expect(await enter(account.email, PASSWORD)).toMatchObject({ reason: "wrong-credentials" });
  expect(await enter(account.email, NEW)).toMatchObject({ ok: true });
  const session = changed.ok ? changed.session : null;
  expect(await findSession(app.db, session?.token ?? "", start)).not.toBeNull();
  // What somebody has copied of this session's cookie is worth nothing any more.
  expect(await findSession(app.db, account.token, start)).toBeNull();
  expect(await findSession(app.db, phone.token, start)).toBeNull();
  expect(await findSession(app.db, stranger.token, start)).not.toBeNull();
});

test("a password change and a reset each notify the owner by email", async () => {
  const account = await signedIn();
  const mails = async () =>
    (await waitingJobs(database.pool, "password-changed")).filter(
      ({ userId }) => userId === account.userId,
    );
  await change(account, "Wrong1234");
  expect(await mails()).toHaveLength(0);
  await change(account);
  expect(await mails()).toHaveLength(1);
  await requestReset(app, { email: account.email, address }, start);
  const jobs = await waitingJobs(database.pool, "reset-password");
  const token = jobs.find(({ userId }) => userId === account.userId)?.token ?? "";
  await resetPassword(app, { token, password: "Third3Word", address }, start);
  expect(await mails()).toHaveLength(2);
});

// spec: 5.16
test("a wrong current password changes nothing, and guesses are slowed like sign-ins", async () => {
  const account = await signedIn();
  for (let n = 0; n < 5; n += 1) {
    expect(await change(account, "Wrong1234")).toEqual({ ok: false, reason: "wrong-password" });
  }
  expect(await change(account)).toMatchObject({ ok: false, reason: "too-many" });
  expect(await enter(account.email, PASSWORD)).toMatchObject({ reason: "too-many" });
  const later = new Date(start.getTime() + 120_000);
  expect(await change(account, PASSWORD, NEW, later)).toMatchObject({ ok: true });
});

test("of several concurrent changes with the same old password one succeeds", async () => {
  const account = await signedIn();
  const words = ["First1Word", "Second2Word", "Third3Word"];
  const results = await Promise.all(words.map((word) => change(account, PASSWORD, word)));
  const held = words.filter((_, n) => results[n]?.ok);
  expect(held).toHaveLength(1);
  expect(await enter(account.email, held[0]!)).toMatchObject({ ok: true });
});

test("an earlier reset link stops working after a password change", async () => {
  const account = await signedIn();
  await requestReset(app, { email: account.email, address }, start);
  const jobs = await waitingJobs(database.pool, "reset-password");
  const token = jobs.find(({ userId }) => userId === account.userId)?.token ?? "";
  await change(account);
  expect(
    await resetPassword(app, { token, password: "Third3Word", address: "192.0.2.1" }, start),
  ).toBeNull();
});

test("a rehash of the same password during a sign-in does not stop the change", async () => {
  const account = await signedIn();
  await app.db.transaction().execute((tx) => setPassword(tx, account.userId, FORMER_HASH, start));
  const accounts: Accounts = {
    ...app.accounts,
    async hashPassword(password, requester) {
      const again = await app.accounts.hashPassword(PASSWORD);
      await replaceHash(app.db, account.userId, FORMER_HASH, again);
      return app.accounts.hashPassword(password, requester);
    },
  };
  const wish = { ...account, password: PASSWORD, newPassword: NEW, address, device: null };
  expect(await changePassword({ ...app, accounts }, wish, start)).toMatchObject({ ok: true });
});

test("a concurrent change and reset do not block each other: the first one counts", async () => {
  const account = await signedIn();
  await requestReset(app, { email: account.email, address }, start);
  const jobs = await waitingJobs(database.pool, "reset-password");
  const token = jobs.find(({ userId }) => userId === account.userId)?.token ?? "";
  const changing = await app.db.transaction().execute(async (tx) => {
    await consumeLink(tx, token, start);
    const changed = change(account);
    await vi.waitUntil(isAnyWaiting);
    await setPassword(tx, account.userId, "another hash", start);
    return { changed };
  });
  expect(await changing.changed).toEqual({ ok: false, reason: "wrong-password" });
});

async function isAnyWaiting(): Promise<boolean> {
  const { rows } = await database.pool.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows.length > 0;
}
