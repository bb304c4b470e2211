import { beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { addAccount, PASSWORD, waitingJobs } from "#test/accounts.ts";
import { issueLink } from "./mail-links.server.ts";
import { registerAccount } from "./accounts.server.ts";
import { requestReset, resetPassword } from "./change-password.server.ts";
import { findSession } from "./sessions.server.ts";
import { signIn } from "./sign-in.server.ts";

const database = useDatabase(12);
const start = new Date();
const after = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
let app: ReturnType<typeof testApp>;
beforeAll(() => {
  app = testApp(database);
});

const NEW = "Another2Password";
const address = "192.0.2.1";
const enter = (email: string, password: string, device: string | null = null) =>
  signIn(app, { email, password, address, device }, start);
const reset = (token: string, now = start) =>
  resetPassword(app, { token, password: NEW, address: "192.0.2.1" }, now);

async function asked() {
  const account = await addAccount(app);
  expect(await requestReset(app, { email: account.email, address }, start)).toEqual({ ok: true });
  const jobs = await waitingJobs(database.pool, "reset-password");
  const job = jobs.find(({ userId }) => userId === account.userId);
  return { ...account, token: job?.token ?? "" };
}

test("a link sets a new password once and ends every session", async () => {
  const { email, userId, token } = await asked();
  const session = await app.accounts.openSession(userId);
  expect(await reset(token)).toBe(email);
  expect(await findSession(app.db, session.token, start)).toBeNull();
  expect(await enter(email, PASSWORD)).toMatchObject({ reason: "wrong-credentials" });
  expect(await enter(email, NEW)).toMatchObject({ ok: true });
  expect(await reset(token)).toBeNull();
});

test("where operators took every password away nobody signs in until they choose one", async () => {
  const { email } = await addAccount(app);
  await database.pool.query("update accounts set password = null, updated_at = now()");
  expect(await enter(email, "")).toMatchObject({ reason: "wrong-credentials" });
  expect(await enter(email, PASSWORD)).toMatchObject({ reason: "wrong-credentials" });
  await requestReset(app, { email, address }, start);
  const jobs = await waitingJobs(database.pool, "reset-password");
  expect(await reset(jobs.at(-1)?.token ?? "")).toBe(email);
  expect(await enter(email, NEW)).toMatchObject({ ok: true });
});

test("a reset link works for one of concurrent uses, and not after an hour", async () => {
  const { token } = await asked();
  const results = await Promise.all([reset(token), reset(token), reset(token)]);
  expect(results.filter(Boolean)).toHaveLength(1);
  const late = await asked();
  expect(await reset(late.token, after(59))).toBe(late.email);
  expect(await reset((await asked()).token, after(61))).toBeNull();
});

test("a reset clears every wait after failed sign-ins", async () => {
  const { email, token } = await asked();
  for (const device of [null, "laptop"]) {
    for (let n = 0; n < 6; n += 1) await enter(email, "Wrong1234", device);
    expect(await enter(email, PASSWORD, device)).toMatchObject({ reason: "too-many" });
  }
  expect(await reset(token)).toBe(email);
  for (const device of [null, "laptop"]) {
    expect(await enter(email, NEW, device)).toMatchObject({ ok: true });
  }
});

test("a reset clears the person's waits where one person has two accounts", async () => {
  const { email } = await addAccount(app);
  const tagged = email.replace("@", "+2@");
  const passwordHash = await app.accounts.hashPassword(PASSWORD);
  const second = { email: tagged, personEmail: tagged, name: "Ada", passwordHash };
  const userId = await app.db.transaction().execute((tx) => registerAccount(tx, second));
  for (let n = 0; n < 6; n += 1) await enter(tagged, "Wrong1234");
  const token = await app.db.transaction().execute((tx) => issueLink(tx, "reset", userId!, start));
  expect(await reset(token!)).toBe(app.accounts.personOf(tagged));
  expect(await enter(tagged, NEW)).toMatchObject({ ok: true });
});

test("an address without an account gets the same result", async () => {
  const email = "nobody@uni.example";
  const before = await waitingJobs(database.pool, "reset-password");
  for (let n = 0; n < 4; n += 1) {
    expect(await requestReset(app, { email, address }, start)).toEqual({ ok: true });
  }
  const queued = await waitingJobs(database.pool, "reset-password");
  expect(queued).toHaveLength(before.length + 3);
});

test("a made-up link costs no hash", async () => {
  let hashed = 0;
  const accounts = {
    ...app.accounts,
    hashPassword: (password: string) => {
      hashed += 1;
      return app.accounts.hashPassword(password);
    },
  };
  expect(
    await resetPassword(
      { ...app, accounts },
      { token: "x", password: NEW, address: "192.0.2.1" },
      start,
    ),
  ).toBeNull();
  expect(hashed).toBe(0);
});
