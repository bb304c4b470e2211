import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { testApp } from "../../../test/app.ts";
import { useDatabase } from "../../../test/db.ts";
import { waitingJobs } from "../accounts/account-fixture.ts";
import { confirmAddress } from "../accounts/confirm-address.server.ts";
import { signIn } from "../accounts/sign-in.server.ts";
import { recallDebt } from "../wallet/recall-debt.server.ts";
import { registerPlayer } from "./register-player.server.ts";

const database = useDatabase();
const start = new Date("2026-11-21T12:00:00Z");
const address = "192.0.2.1";
const attacker = { password: "Attacker1", firstName: "Mal", lastName: "Lory", major: "Mischief" };
const owner = { password: "Owner1234", firstName: "Vera", lastName: "Own", major: "Physics" };
let app: ReturnType<typeof testApp>;
let email: string;
beforeAll(() => {
  app = testApp(database);
});
beforeEach(() => {
  email = `${crypto.randomUUID()}@uni.example`;
});

const signUp = (person: typeof owner) => {
  const rest = { dateOfBirth: "2000-01-31", schoolYear: "Bachelor" as const, phone: null };
  return registerPlayer({ ...app, recallDebt }, { ...person, ...rest, email, address }, start);
};
const confirm = (token: string | undefined) => confirmAddress(app.db, token ?? "", start);
const enter = async ({ password }: typeof owner) => {
  const result = await signIn(app, { email, password, address, device: null }, start);
  return result.ok ? "in" : result.reason;
};
const account = () =>
  app.db
    .selectFrom("users")
    .innerJoin("profiles", "profiles.user_id", "users.id")
    .select(["users.id", "name", "email_verified", "first_name", "last_name", "major"])
    .where("users.email", "=", email)
    .executeTakeFirstOrThrow();
const tokens = async (queue = "mail.confirm-address") => {
  const { id } = await account();
  const jobs = await waitingJobs(database.pool, queue);
  return jobs.filter(({ userId }) => userId === id).map(({ token }) => token);
};
const own = { name: "Vera Own", first_name: "Vera", last_name: "Own", major: "Physics" };
const malicious = { name: "Mal Lory", first_name: "Mal", last_name: "Lory", major: "Mischief" };

test("of an unconfirmed address the newest sign-up stands, and only its link works", async () => {
  await signUp(attacker);
  expect(await signUp(owner)).toEqual({ ok: true, resent: true });
  const [first, second] = await tokens();
  expect(await confirm(first)).toBeNull();
  expect(await confirm(second)).not.toBeNull();
  expect(await account()).toMatchObject({ ...own, email_verified: true });
  expect(await enter(attacker)).toBe("wrong-credentials");
  expect(await enter(owner)).toBe("in");
});

test("when no mail may be sent nothing is replaced and the last link still works", async () => {
  for (let n = 0; n < 2; n += 1) await signUp(attacker);
  await signUp(owner);
  expect(await signUp(attacker)).toEqual({ ok: false, reason: "nothing-sent" });
  expect(await account()).toMatchObject(own);
  const sent = await tokens();
  expect(sent).toHaveLength(3);
  expect(await confirm(sent[2])).not.toBeNull();
  expect(await enter(owner)).toBe("in");
});

test("a confirmed account is not touched", async () => {
  await signUp(owner);
  await confirm((await tokens())[0]);
  expect(await signUp(attacker)).toEqual({ ok: true, resent: true });
  expect(await account()).toMatchObject(own);
  expect(await enter(attacker)).toBe("wrong-credentials");
  expect(await enter(owner)).toBe("in");
  expect(await tokens()).toHaveLength(1);
});

test("a link that is used just before a sign-up: the account is not touched", async () => {
  await signUp(owner);
  const [token] = await tokens();
  const [confirmed, again] = await inOrder(
    () => confirm(token),
    () => signUp(attacker),
  );
  expect([confirmed !== null, again]).toEqual([true, { ok: true, resent: true }]);
  expect(await account()).toMatchObject({ ...own, email_verified: true });
  expect(await tokens()).toHaveLength(1);
  expect(await tokens("mail.account-exists")).toHaveLength(1);
  expect(await enter(attacker)).toBe("wrong-credentials");
});

test("a link that is used just after a sign-up: it is gone", async () => {
  await signUp(attacker);
  const [token] = await tokens();
  const [again, confirmed] = await inOrder(
    () => signUp(owner),
    () => confirm(token),
  );
  expect([again, confirmed]).toEqual([{ ok: true, resent: true }, null]);
  expect(await account()).toMatchObject({ ...own, email_verified: false });
  expect(await enter(attacker)).toBe("wrong-credentials");
  expect(await enter(owner)).toBe("not-confirmed");
});

test("sign-ups at once leave one person's password and profile together", async () => {
  await Promise.all([signUp(attacker), signUp(owner), signUp(attacker)]);
  const { name } = await account();
  const [stands, gone] = name === own.name ? [owner, attacker] : [attacker, owner];
  expect(await account()).toMatchObject(name === own.name ? own : malicious);
  expect(await enter(stands)).toBe("not-confirmed");
  expect(await enter(gone)).toBe("wrong-credentials");
  const used = await Promise.all((await tokens()).map(confirm));
  expect(used.filter(Boolean)).toHaveLength(1);
});

/** Runs both at once, queued for the lock of the user, which they get in this order. */
async function inOrder<A, B>(first: () => Promise<A>, second: () => Promise<B>): Promise<[A, B]> {
  const client = await database.pool.connect();
  try {
    await client.query("begin");
    await client.query("select from users where email = $1 for no key update", [email]);
    const one = first();
    await waitingForLocks(1);
    const two = second();
    await waitingForLocks(2);
    await client.query("commit");
    return await Promise.all([one, two]);
  } finally {
    client.release();
  }
}

function waitingForLocks(count: number): Promise<void> {
  return vi.waitFor(
    async () => {
      const { rows } = await database.pool.query(
        "select count(*)::int as waiting from pg_stat_activity " +
          "where datname = current_database() and wait_event_type = 'Lock'",
      );
      expect(rows[0].waiting).toBe(count);
    },
    { timeout: 4_000, interval: 20 },
  );
}
