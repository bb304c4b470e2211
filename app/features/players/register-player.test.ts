import { beforeAll, beforeEach, expect, test } from "vitest";
import { testApp } from "../../../test/app.ts";
import { useDatabase } from "../../../test/db.ts";
import type { Accounts } from "../accounts/accounts.server.ts";
import { waitingJobs } from "../accounts/account-fixture.ts";
import { confirmAddress } from "../accounts/confirm-address.server.ts";
import type { SignUpInput } from "./input.ts";
import { recallDebt } from "../wallet/recall-debt.server.ts";
import { registerPlayer } from "./register-player.server.ts";

const database = useDatabase();
const start = new Date("2026-11-21T12:00:00Z");
const after = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
let app: ReturnType<typeof testApp>;
let email: string;
beforeAll(() => {
  app = testApp(database);
});
beforeEach(() => {
  email = `${crypto.randomUUID()}@uni.example`;
});

const person = (): SignUpInput => ({
  email,
  password: "Kickabout1",
  firstName: "Ann",
  lastName: "O'Neil",
  dateOfBirth: "2000-01-31",
  schoolYear: "Bachelor",
  major: "Physics",
  phone: null,
});
const signUp = (now = start, accounts = app.accounts) =>
  registerPlayer({ ...app, accounts, recallDebt }, { ...person(), address: "192.0.2.1" }, now);
const profiles = () =>
  app.db.selectFrom("profiles").selectAll().where("email", "=", email).execute();
const mails = async (queue = "mail.confirm-address") => {
  const [profile] = await profiles();
  const jobs = await waitingJobs(database.pool, queue);
  return jobs.filter(({ userId }) => userId === profile?.user_id);
};

test("account, profile, link and mail come to be together", async () => {
  expect(await signUp()).toEqual({ ok: true, resent: false });
  const [profile] = await profiles();
  expect(profile).toMatchObject({
    first_name: "Ann",
    last_name: "O'Neil",
    date_of_birth: "2000-01-31",
    school_year: "Bachelor",
    major: "Physics",
    phone: null,
    sports_interests: [],
    join_message_posted: false,
    wallet_balance_eur: "0.00",
  });
  const user = app.db.selectFrom("users").selectAll().where("email", "=", email);
  expect(await user.executeTakeFirst()).toMatchObject({
    name: "Ann O'Neil",
    email_verified: false,
  });
  expect(await mails()).toHaveLength(1);
});

test("when the mail cannot be queued nothing is written", async () => {
  const jobs = { ...app.jobs, enqueue: () => Promise.reject(new Error("queue is down")) };
  const parts = { ...app, jobs, recallDebt };
  await expect(registerPlayer(parts, { ...person(), address: "192.0.2.1" }, start)).rejects.toThrow(
    "queue is down",
  );
  expect(await profiles()).toEqual([]);
  const user = app.db.selectFrom("users").select("id").where("email", "=", email);
  expect(await user.execute()).toEqual([]);
});

test("a known address gets its mail again, at most three an hour, and stays one player", async () => {
  await signUp();
  expect(await signUp(after(1))).toEqual({ ok: true, resent: true });
  expect(await signUp(after(2))).toEqual({ ok: true, resent: true });
  expect(await signUp(after(3))).toEqual({ ok: false, reason: "nothing-sent" });
  expect(await mails()).toHaveLength(3);
  expect(await signUp(after(64))).toEqual({ ok: true, resent: true });
  expect(await profiles()).toHaveLength(1);
});

test("a confirmed one gets the mail that it exists, answered the same", async () => {
  await signUp();
  const [job] = await mails();
  await confirmAddress(app.db, job?.token ?? "", start);
  for (let n = 0; n < 3; n += 1) expect(await signUp()).toEqual({ ok: true, resent: true });
  expect(await signUp()).toEqual({ ok: false, reason: "nothing-sent" });
  expect(await mails("mail.account-exists")).toHaveLength(3);
  expect(await mails()).toHaveLength(1);
});

test("signing up ten times at once makes one player", async () => {
  const results = await Promise.all(Array.from({ length: 10 }, () => signUp()));
  expect(results.filter((result) => result.ok && !result.resent)).toHaveLength(1);
  expect(results.filter((result) => result.ok && result.resent)).toHaveLength(2);
  expect(results.filter((result) => !result.ok)).toHaveLength(7);
  expect(await profiles()).toHaveLength(1);
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
  await signUp(start, accounts);
  await signUp(start, accounts);
  expect(hashed).toBe(2);
});

test("a client address that signs up too often is refused before any work", async () => {
  const limits = { count: async () => 7 };
  const accounts: Accounts = { ...app.accounts, limits };
  expect(await signUp(start, accounts)).toEqual({
    ok: false,
    reason: "too-many",
    retryAfterSeconds: 7,
  });
  expect(await profiles()).toEqual([]);
});
