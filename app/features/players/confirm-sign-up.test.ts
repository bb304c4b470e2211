import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ADDRESS, BROWSER, PERSON, quickPasswords, watchTokens } from "#test/accounts.ts";
import { withoutPersonLock } from "#test/disable-locks.ts";
import type { Db } from "#app/platform/db.server.ts";
import { strangerId } from "#app/features/accounts/mail-links.server.ts";
import { recallDebt } from "#app/features/wallet/debts.server.ts";
import { confirmSignUp, findConfirmed, registerPlayer } from "./sign-up.server.ts";

const database = useDatabase(12);
const start = new Date("2026-11-21T12:00:00Z");
const after = (hours: number) => new Date(start.getTime() + hours * 3_600_000);
let app: ReturnType<typeof testApp>;
let tokens: string[];
let email: string;
beforeAll(() => {
  app = testApp(database);
  app.accounts = quickPasswords(app.accounts);
  const watched = watchTokens(app.jobs);
  app.jobs = watched.jobs;
  tokens = watched.tokens;
});
beforeEach(() => {
  email = `${crypto.randomUUID()}@uni.example`;
  tokens.length = 0;
});

const signUp = (as = email) =>
  registerPlayer(
    { ...app, recallDebt },
    { ...PERSON, email: as, address: ADDRESS, browserHash: BROWSER },
    start,
  );
const confirm = (token = "", now = start, parts: object = {}) => {
  const browser = { browserHash: BROWSER, password: "", address: ADDRESS, device: null };
  return confirmSignUp({ ...app, recallDebt, ...parts }, { token, ...browser }, now);
};
const users = () =>
  app.db.selectFrom("users").select("id").where("email", "like", `%${email}`).execute();
const gone = { ok: false, reason: "gone" };

// spec: 1.4, 3.3, 3.4, 3.8, 4.10, 7.1, 7.7
test("a link creates user, account and profile of its sign-up, once, within a day", async () => {
  await signUp();
  expect(await confirm(tokens[0], after(24.1))).toEqual(gone);
  expect(await users()).toEqual([]);
  expect(await confirm(tokens[0], after(23.9))).toMatchObject({ ok: true, email });
  const profile = app.db.selectFrom("profiles").selectAll().where("email", "=", email);
  expect(await profile.executeTakeFirst()).toMatchObject({
    first_name: "Ada",
    last_name: "Again",
    date_of_birth: "2000-01-31",
    school_year: "Master",
    major: "Physics",
    phone: null,
    sports_interests: [],
    join_message_posted: false,
    wallet_balance_eur: "0.00",
  });
  const user = app.db.selectFrom("users").selectAll().where("email", "=", email);
  expect(await user.executeTakeFirst()).toMatchObject({ name: "Ada Again", email_verified: true });
  expect(await confirm(tokens[0], after(23.9))).toEqual(gone);
});

test("all links of the person show for a day that the address is confirmed", async () => {
  await signUp();
  await signUp();
  expect(await findConfirmed(app.db, tokens[1]!, start)).toBeNull();
  const confirmed = await confirm(tokens[0]);
  for (const token of tokens) {
    expect(confirmed).toMatchObject({ userId: await findConfirmed(app.db, token, after(23.9)) });
    expect(await findConfirmed(app.db, token, after(24.1))).toBeNull();
    expect(await confirm(token, after(1))).toEqual(gone);
  }
});

test("an invalid link confirms nothing", async () => {
  const value = strangerId(email);
  await app.db
    .insertInto("verifications")
    .values({ identifier: "confirm:x", value, expires_at: after(1) })
    .execute();
  for (const token of ["made-up", "", "x"]) expect(await confirm(token)).toEqual(gone);
});

test("what is kept about the address is restored in the same transaction", async () => {
  await signUp();
  const fail = () => Promise.reject(new Error("no memory"));
  await expect(confirm(tokens[0], start, { recallDebt: fail })).rejects.toThrow("no memory");
  expect(await users()).toEqual([]);
  const recalled: object[] = [];
  const recall = async (_: unknown, player: object) => void recalled.push(player);
  await confirm(tokens[0], start, { recallDebt: recall });
  const [user] = await users();
  const addressHash = app.accounts.hashEmail(email);
  expect(recalled).toEqual([{ userId: user?.id, addressHash }]);
});

test("one link used several times at once works once", async () => {
  await signUp();
  const results = await Promise.all([1, 2, 3, 4].map(() => confirm(tokens[0])));
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await users()).toHaveLength(1);
});

/** How many accounts come of the links of two tags of one person, used at the same moment. */
async function race(db: Db): Promise<number> {
  await signUp(`one+a@${email}`);
  await signUp(`one+b@${email}`);
  let arrived = 0;
  // Each has written its account; it goes on once the other has too, or waits for a lock.
  const meet = async () => {
    arrived += 1;
    await vi.waitFor(async () => expect(arrived === 2 || (await isAnyWaiting())).toBe(true));
  };
  await Promise.all(tokens.map((token) => confirm(token, start, { db, recallDebt: meet })));
  return (await users()).length;
}

async function isAnyWaiting(): Promise<boolean> {
  const { rows } = await database.pool.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows.length > 0;
}

test("of two sign-ups of one person confirmed at once one becomes the account", async () => {
  expect(await race(app.db)).toBe(1);
  const left = app.db.selectFrom("sign_ups").select("id").where("email", "like", `%${email}`);
  expect(await left.execute()).toEqual([]);
});

test("the constraint holds without the lock; without both there are two accounts", async () => {
  const unlocked = app.db.withPlugin(withoutPersonLock);
  expect(await race(unlocked)).toBe(1);
  await sql`drop index users_person_email_key`.execute(app.db);
  email = `again.${email}`;
  tokens.length = 0;
  expect(await race(unlocked)).toBe(2);
});
