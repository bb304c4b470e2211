import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { addAccount, addSignUp, FORMER_HASH, PASSWORD } from "#test/accounts.ts";
import { type Accounts, findUser } from "./accounts.server.ts";
import { requesterOf } from "./throttles.server.ts";
import { signIn } from "./sign-in.server.ts";
import { setPassword } from "./passwords.server.ts";

const database = useDatabase(12);
const start = new Date("2026-11-21T12:00:00Z");
const after = (seconds: number) => new Date(start.getTime() + seconds * 1_000);
let app: ReturnType<typeof testApp>;
beforeAll(() => {
  app = testApp(database);
});

const attempt = (email: string, password: string, now = start, accounts = app.accounts) =>
  signIn({ ...app, accounts }, { email, password, address: "192.0.2.1", device: null }, now);
const attemptOn = (device: string, email: string, password: string, now = start) =>
  signIn(app, { email, password, address: "192.0.2.1", device }, now);
const wrong = { ok: false, reason: "wrong-credentials" };
const wait = (retryAfterSeconds: number) => ({ ok: false, reason: "too-many", retryAfterSeconds });

// spec: 7.3
test("the right password opens a session, a wrong one and an unknown address do not", async () => {
  const { email, userId } = await addAccount(app);
  expect(await attempt(email, "Wrong1234")).toEqual(wrong);
  expect(await attempt("nobody@uni.example", PASSWORD)).toEqual(wrong);
  expect(await attempt(email, PASSWORD)).toMatchObject({ ok: true });
  const sessions = app.db.selectFrom("sessions").select("id").where("user_id", "=", userId);
  expect(await sessions.execute()).toHaveLength(1);
});

test("a password replaced during its check does not sign in", async () => {
  const { email, userId } = await addAccount(app);
  const replace = () =>
    app.db.transaction().execute(async (tx) => {
      await setPassword(tx, userId, "another hash", start);
      await tx.deleteFrom("sessions").where("user_id", "=", userId).execute();
    });
  const accounts: Accounts = {
    ...app.accounts,
    async verifyPassword(...parts) {
      const isRight = await app.accounts.verifyPassword(...parts);
      await replace();
      return isRight;
    },
  };
  expect(await attempt(email, PASSWORD, start, accounts)).toEqual(wrong);
  const sessions = app.db.selectFrom("sessions").select("id").where("user_id", "=", userId);
  expect(await sessions.execute()).toEqual([]);
});

test("only the right password reveals that a sign-up is unconfirmed", async () => {
  const { email, signUpId } = await addSignUp(app, { createdAt: start });
  expect(await attempt(email, "Wrong1234")).toEqual(wrong);
  const unconfirmed = { ok: false, reason: "not-confirmed", signUpId };
  expect(await attempt(email, PASSWORD)).toEqual(unconfirmed);
});

test("one password is verified per attempt, whether the address is known or not", async () => {
  const { email } = await addAccount(app);
  const { accounts, verified } = counted();
  await attempt(email, "Wrong1234", start, accounts);
  await attempt("stranger@uni.example", "Wrong1234", start, accounts);
  const waiting = await addSignUp(app, { createdAt: start });
  await addSignUp(app, { email: waiting.email, createdAt: start });
  await attempt(waiting.email, "Wrong1234", start, accounts);
  expect(verified).toEqual([true, false, true]);
});

describe.each(["an account", "an unknown address"])("guessing at %s", (whose) => {
  const target = async () =>
    whose === "an account" ? (await addAccount(app)).email : `${crypto.randomUUID()}@uni.example`;

  test("after five failures the delay doubles up to a minute", async () => {
    const email = await target();
    const { accounts } = counted();
    const guess = (seconds: number) => attempt(email, "Wrong1234", after(seconds), accounts);
    for (let n = 0; n < 5; n += 1) expect(await guess(0)).toEqual(wrong);
    let at = 0;
    for (const delay of [1, 2, 4, 8, 16, 32, 60, 60]) {
      expect(await guess(at)).toEqual(wait(delay));
      at += delay;
      expect(await guess(at - 0.4)).toEqual(wait(1));
      expect(await guess(at)).toEqual(wrong);
    }
  });

  test("of 50 concurrent wrong guesses five are verified", async () => {
    const email = await target();
    const { accounts, verified } = counted();
    await Promise.all(
      Array.from({ length: 50 }, () => attempt(email, "Wrong1234", start, accounts)),
    );
    expect(verified).toHaveLength(5);
  });

  test("guesses to several processes are limited together", async () => {
    const email = await target();
    const { accounts, verified } = counted();
    const elsewhere: Accounts = { ...accounts, withKeyedLock: (_, action) => action() };
    await Promise.all(
      Array.from({ length: 50 }, () => attempt(email, "Wrong1234", start, elsewhere)),
    );
    expect(verified).toHaveLength(5);
  });
});

test("without counting all 50 guesses are verified", async () => {
  const { email } = await addAccount(app);
  const { accounts, verified } = counted();
  const withoutCounting: Accounts = {
    ...accounts,
    async withKeyedLock(key, entry) {
      await app.db.deleteFrom("sign_in_failures").where("email", "=", key).execute();
      return accounts.withKeyedLock(`${key}${crypto.randomUUID()}`, entry);
    },
  };
  for (let n = 0; n < 50; n += 1) await attempt(email, "Wrong1234", start, withoutCounting);
  expect(verified).toHaveLength(50);
});

test("20 concurrent right passwords all sign in", async () => {
  const { email } = await addAccount(app);
  const results = await Promise.all(Array.from({ length: 20 }, () => attempt(email, PASSWORD)));
  expect(results.every(({ ok }) => ok)).toBe(true);
});

test("without the queue concurrent right passwords count against each other", async () => {
  const { email } = await addAccount(app);
  const accounts: Accounts = { ...app.accounts, withKeyedLock: (_, action) => action() };
  const results = await Promise.all(
    Array.from({ length: 20 }, () => attempt(email, PASSWORD, start, accounts)),
  );
  expect(results.some(({ ok }) => !ok)).toBe(true);
});

test("the right password resets the failures, before or after a wait", async () => {
  const { email } = await addAccount(app);
  for (let n = 0; n < 5; n += 1) await attempt(email, "Wrong1234");
  expect(await attempt(email, PASSWORD)).toEqual(wait(1));
  expect(await attempt(email, PASSWORD, after(1))).toMatchObject({ ok: true });
  for (let n = 0; n < 5; n += 1) expect(await attempt(email, "Wrong1234")).toEqual(wrong);
});

describe("a browser that has signed in before", () => {
  test("signs in at once in the middle of an attack, which goes on being slowed", async () => {
    const { email } = await addAccount(app);
    const attack = { email, device: "", failures: 500, last_failed_at: start };
    await app.db.insertInto("sign_in_failures").values(attack).execute();
    expect(await attempt(email, PASSWORD)).toEqual(wait(60));
    expect(await attemptOn("laptop", email, PASSWORD)).toMatchObject({ ok: true });
    expect(await attempt(email, PASSWORD)).toEqual(wait(60));
  });

  test("is not kept waiting by strangers whose attempts are being verified", async () => {
    const { email } = await addAccount(app);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const accounts = { ...app.accounts, verifyPassword: () => promise };
    const stranger = attempt(email, "Wrong1234", start, accounts);
    const queued = attempt(email, PASSWORD);
    expect(await attemptOn("laptop", email, PASSWORD)).toMatchObject({ ok: true });
    resolve(false);
    expect(await stranger).toEqual(wrong);
    expect(await queued).toMatchObject({ ok: true });
  });

  test("has five wrong tries of its own, then waits alone", async () => {
    const { email } = await addAccount(app);
    for (let n = 0; n < 5; n += 1) {
      expect(await attemptOn("laptop", email, "Wrong1234")).toEqual(wrong);
    }
    expect(await attemptOn("laptop", email, PASSWORD)).toEqual(wait(1));
    expect(await attemptOn("phone", email, PASSWORD)).toMatchObject({ ok: true });
    expect(await attempt(email, PASSWORD)).toMatchObject({ ok: true });
    expect(await attemptOn("laptop", email, PASSWORD)).toEqual(wait(1));
    expect(await attemptOn("laptop", email, PASSWORD, after(1))).toMatchObject({ ok: true });
  });
});

test("failures older than a day do not count and are cleared away", async () => {
  const { email } = await addAccount(app);
  for (let n = 0; n < 7; n += 1) await attempt(email, "Wrong1234", after(n * 100));
  const dayLater = after(86_400 + 601);
  expect(await attempt(email, "Wrong1234", dayLater)).toEqual(wrong);
  expect(await attempt(email, "Wrong1234", dayLater)).toEqual(wrong);
  await attempt("new@uni.example", "Wrong1234", after(3 * 86_400));
  const left = app.db.selectFrom("sign_in_failures").select("email");
  expect((await left.execute()).map((row) => row.email)).not.toContain(email);
});

/** Counts the passwords that are verified, and saves the time of hashing them. */
function counted() {
  const verified: boolean[] = [];
  const accounts: Accounts = {
    ...app.accounts,
    async verifyPassword(hash, password) {
      verified.push(hash !== null);
      return hash !== null && password === PASSWORD;
    },
  };
  return { accounts, verified };
}

test("a password with an outdated hash is rehashed at sign-in", async () => {
  const { email, userId } = await addAccount(app);
  await app.db.transaction().execute((tx) => setPassword(tx, userId, FORMER_HASH, start));
  const stored = async () => (await findUser(app.db, email, email))?.passwordHash ?? "";
  expect(await attempt(email, "Wrong1234")).toEqual(wrong);
  expect(await stored()).toBe(FORMER_HASH);
  expect(await attempt(email, PASSWORD)).toMatchObject({ ok: true });
  expect(app.accounts.isOutdatedHash(await stored())).toBe(false);
  expect(await attempt(email, PASSWORD)).toMatchObject({ ok: true });
});

test("guesses that the account's delay rejects do not count against their network's limit", async () => {
  const email = `${crypto.randomUUID()}@uni.example`;
  const counted: string[] = [];
  const limits = {
    count: async (kind: string) => {
      counted.push(kind);
      return null;
    },
  };
  const accounts = { ...app.accounts, limits };
  for (let n = 0; n < 8; n += 1) await attempt(email, "Wrong1234", start, accounts);
  expect(counted).toHaveLength(5);
  const known = { email, password: "Wrong1234", address: "192.0.2.1", device: "known" };
  await signIn({ ...app, accounts }, known, start);
  expect(counted).toHaveLength(5);
});

test("all known browsers of an account share one queue", () => {
  const requester = (device: string | null) =>
    requesterOf({ subject: "a@b.c", device, address: "192.0.2.1" });
  expect(requester("phone")).toEqual(requester("laptop"));
  expect(requester(null).client).not.toBe(requester("phone").client);
});

/** Signs in on two devices at once; `both` runs when each has verified the password. */
async function twoAtOnce(userId: string, email: string, both: () => Promise<void>) {
  await app.db.transaction().execute((tx) => setPassword(tx, userId, FORMER_HASH, start));
  const verified: (() => void)[] = [];
  const accounts: Accounts = {
    ...app.accounts,
    async verifyPassword(...parts) {
      const isRight = await app.accounts.verifyPassword(...parts);
      await new Promise<void>((goOn) => {
        verified.push(goOn);
        if (verified.length === 2) void both().then(() => verified.forEach((each) => each()));
      });
      return isRight;
    },
  };
  const devices = ["laptop", "phone"].map((device) => {
    const wish = { email, password: PASSWORD, address: "192.0.2.1", device };
    return signIn({ ...app, accounts }, wish, start);
  });
  return Promise.all(devices);
}

test("two devices sign in at once while the password is rehashed", async () => {
  const { email, userId } = await addAccount(app);
  const results = await twoAtOnce(userId, email, async () => {});
  expect(results).toMatchObject([{ ok: true }, { ok: true }]);
});

test("neither device signs in when the password changes in between", async () => {
  const { email, userId } = await addAccount(app);
  const change = () => app.db.transaction().execute((tx) => setPassword(tx, userId, "new", start));
  expect(await twoAtOnce(userId, email, change)).toEqual([wrong, wrong]);
});
