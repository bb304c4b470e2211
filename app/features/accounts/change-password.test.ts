import { beforeAll, expect, test } from "vitest";
import { testApp } from "../../../test/app.ts";
import { useDatabase } from "../../../test/db.ts";
import { addAccount, PASSWORD, waitingJobs } from "./account-fixture.ts";
import { changePassword } from "./change-password.server.ts";
import { requestReset } from "./request-reset.server.ts";
import { resetPassword } from "./reset-password.server.ts";
import { findSession } from "./sessions.server.ts";
import { signIn } from "./sign-in.server.ts";

const database = useDatabase();
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
  return { ...account, token };
}
type Account = Awaited<ReturnType<typeof signedIn>>;
const change = (account: Account, password = PASSWORD, newPassword = NEW, now = start) =>
  changePassword(app, { ...account, password, newPassword, address, device: null }, now);
const enter = (email: string, password: string) =>
  signIn(app, { email, password, address, device: null }, start);

test("the new password counts, the old one does not, and only this session goes on", async () => {
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

test("a change and a reset each tell the owner by mail", async () => {
  const account = await signedIn();
  const told = async () =>
    (await waitingJobs(database.pool, "mail.password-changed")).filter(
      ({ userId }) => userId === account.userId,
    );
  await change(account, "Wrong1234");
  expect(await told()).toHaveLength(0);
  await change(account);
  expect(await told()).toHaveLength(1);
  await requestReset(app, { email: account.email, address }, start);
  const jobs = await waitingJobs(database.pool, "mail.reset-password");
  const token = jobs.find(({ userId }) => userId === account.userId)?.token ?? "";
  await resetPassword(app, { token, password: "Third3Word", address }, start);
  expect(await told()).toHaveLength(2);
});

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

test("of several changes at once with the same old password one holds", async () => {
  const account = await signedIn();
  const words = ["First1Word", "Second2Word", "Third3Word"];
  const answers = await Promise.all(words.map((word) => change(account, PASSWORD, word)));
  const held = words.filter((_, n) => answers[n]?.ok);
  expect(held).toHaveLength(1);
  expect(await enter(account.email, held[0]!)).toMatchObject({ ok: true });
});

test("a link to reset the password from before does not work any more", async () => {
  const account = await signedIn();
  await requestReset(app, { email: account.email, address }, start);
  const jobs = await waitingJobs(database.pool, "mail.reset-password");
  const token = jobs.find(({ userId }) => userId === account.userId)?.token ?? "";
  await change(account);
  expect(
    await resetPassword(app, { token, password: "Third3Word", address: "192.0.2.1" }, start),
  ).toBeNull();
});
