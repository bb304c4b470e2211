import { beforeAll, beforeEach, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import {
  ADDRESS,
  PERSON,
  quickPasswords,
  signUpAndConfirm,
  addSignUp,
  waitingJobs,
} from "#test/accounts.ts";
import type { Accounts } from "#app/features/accounts/accounts.server.ts";
import { recallDebt } from "#app/features/wallet/debts.server.ts";
import { registerPlayer } from "./sign-up.server.ts";
import { deleteOldSignUps } from "#app/features/accounts/sign-ups.server.ts";

const database = useDatabase(12);
const start = new Date("2026-11-21T12:00:00Z");
const after = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
const DAY_MINUTES = 24 * 60;
let app: ReturnType<typeof testApp>;
let email: string;
beforeAll(() => {
  app = testApp(database);
  app.accounts = quickPasswords(app.accounts);
});
beforeEach(() => {
  email = `${crypto.randomUUID()}@uni.example`;
});

const signUp = (now = start, as: Partial<typeof app> = {}) =>
  registerPlayer({ ...app, recallDebt, ...as }, { ...PERSON, email, address: ADDRESS }, now);
const signUps = () =>
  app.db.selectFrom("sign_ups").selectAll().where("email", "=", email).execute();
const users = () => app.db.selectFrom("users").select("id").where("email", "=", email).execute();
const mails = async (kind = "confirm-address") => {
  const ids = [...(await signUps()), ...(await users())].map(({ id }) => id);
  const jobs = await waitingJobs(database.pool, kind);
  return jobs.filter(({ userId, signUpId }) => ids.includes(signUpId ?? userId));
};
const first = { ok: true, resent: false, userId: null };
const again = { ok: true, resent: true, userId: null };
const broken = {
  ...({} as typeof app.jobs),
  enqueueEmails: () => Promise.reject(new Error("queue down")),
};

test("a sign-up waits with its profile, link and mail, and is no user yet", async () => {
  expect(await signUp()).toEqual(first);
  expect(await signUps()).toMatchObject([
    {
      first_name: "Ada",
      last_name: "Again",
      date_of_birth: "2000-01-31",
      school_year: "Master",
      major: "Physics",
      phone: null,
    },
  ]);
  expect(await mails()).toHaveLength(1);
  expect(await users()).toEqual([]);
});

// spec: 8.4
test("when the mail cannot be queued nothing is written", async () => {
  await expect(signUp(start, { jobs: broken })).rejects.toThrow("queue down");
  expect(await signUps()).toEqual([]);
});

test("a known address gets no sign-up either when the mail cannot be queued", async () => {
  await signUp();
  const nothing = { ok: false, reason: "nothing-sent" };
  expect(await signUp(start, { jobs: broken })).toEqual(nothing);
  expect(await signUps()).toHaveLength(1);
});

// spec: 4.8
test("a known address gets another email, and repeated use fails no sign-up", async () => {
  expect(await signUp()).toEqual(first);
  for (let n = 1; n < 20; n += 1) expect(await signUp(after(1))).toEqual(again);
  expect(await signUps()).toHaveLength(20);
  // Three at once, and ten that wait.
  expect(await mails()).toHaveLength(13);
});

// spec: 4.9
test("an account gets the mail that it exists, with the same result", async () => {
  await signUpAndConfirm(app, email, start);
  for (let n = 0; n < 5; n += 1) expect(await signUp()).toEqual(again);
  expect(await mails("account-exists")).toHaveLength(3);
  expect(await signUps()).toEqual([]);
});

test("signing up ten times at once: each is stored, the first is new", async () => {
  const results = await Promise.all(Array.from({ length: 10 }, () => signUp()));
  expect(results.filter((result) => result.ok && !result.resent)).toHaveLength(1);
  expect(await signUps()).toHaveLength(10);
});

test("of a hundred sign-ups one with an expired link is deleted, none with a valid one", async () => {
  const { signUpId } = await addSignUp(app, { email, createdAt: after(-2 * DAY_MINUTES) });
  const row = (n: number) => addSignUp(app, { email, createdAt: after(-n) });
  for (let n = 0; n < 98; n += 1) await row(n);
  const before = await registerPlayer(
    { ...app, recallDebt },
    { ...PERSON, email, address: ADDRESS },
    start,
  );
  expect(before).toEqual(again);
  expect(await signUp()).toEqual(again);
  const left = await signUps();
  expect(left).toHaveLength(100);
  expect(left.map(({ id }) => id)).not.toContain(signUpId);
  await app.db
    .insertInto("verifications")
    .values(
      left.map(({ id }) => ({ identifier: `confirm:${id}`, value: id, expires_at: after(60) })),
    )
    .execute();
  expect(await signUp()).toEqual(again);
  expect((await signUps()).map(({ id }) => id).toSorted()).toEqual(
    left.map(({ id }) => id).toSorted(),
  );
});

test("a sign-up is deleted after thirty days, and the address is new again", async () => {
  await signUp();
  await deleteOldSignUps(app.db, after(30 * DAY_MINUTES - 1));
  expect(await signUps()).toHaveLength(1);
  expect(await signUp(after(30 * DAY_MINUTES + 1))).toEqual(first);
  await deleteOldSignUps(app.db, after(30 * DAY_MINUTES + 1));
  expect(await signUps()).toHaveLength(1);
});

test("one password is hashed, for a new address as for a known one", async () => {
  let hashed = 0;
  const accounts: Accounts = {
    ...app.accounts,
    hashPassword(password) {
      hashed += 1;
      return app.accounts.hashPassword(password);
    },
  };
  await signUp(start, { accounts });
  await signUp(start, { accounts });
  expect(hashed).toBe(2);
});

test("a client address that signs up too often is stopped before any work", async () => {
  const limits = { count: async () => 7 };
  const accounts: Accounts = { ...app.accounts, limits };
  const tooMany = { ok: false, reason: "too-many", retryAfterSeconds: 7 };
  expect(await signUp(start, { accounts })).toEqual(tooMany);
  expect(await signUps()).toEqual([]);
});
