import { expect, test, vi } from "vitest";
import { PASSWORD } from "#test/accounts.ts";
import { anonymizeAccount, lockAccount } from "#app/features/accounts/accounts.server.ts";
import { lockPassword } from "#app/features/accounts/passwords.server.ts";
import { resetTwoFactor, turnOffTwoFactor } from "#app/features/accounts/two-factor.server.ts";
import { anonymizePlayer } from "#app/features/players/profiles.server.ts";
import { signIn } from "#test/visit.ts";
import {
  cookieIn,
  form,
  location,
  MINUTE,
  RECOVERY_CODES,
  useSecondFactor,
} from "#test/second-factor.ts";

const scenario = useSecondFactor();
const { anAdmin, auditOf, securityEmails, codeAt, giveCode, givePassword, later, setUp, site } =
  scenario;

test("new recovery codes and turning off ask for password and code", async () => {
  const admin = await anAdmin();
  const { secret, codes } = await setUp(admin);
  const post = (fields: Record<string, string>) =>
    site("/settings/two-factor", { cookie: admin.cookie, body: form(fields) });
  const ask = { intent: "recovery-codes", password: PASSWORD, code: codeAt(secret) };
  expect((await post({ ...ask, password: "wrong" })).status).toBe(422);
  expect((await post({ ...ask, code: "" })).status).toBe(422);
  expect((await post({ ...ask, code: codeAt(secret, 7) })).status).toBe(422);
  const renewed = await (await post(ask)).text();
  expect(renewed.match(RECOVERY_CODES)).toHaveLength(10);
  expect(renewed).not.toContain(codes[0]);
  expect((await post({ ...ask, intent: "turn-off", code: codes[0]! })).status).toBe(422);
  later(MINUTE);
  const off = await post({ ...ask, intent: "turn-off", code: codeAt(secret) });
  expect([off.status, location(off)]).toEqual([302, "/settings"]);
  const { response } = await givePassword(admin);
  expect(cookieIn(response, "session")).toBeDefined();
  const changes = ["two-factor-on", "recovery-codes", "two-factor-off"];
  expect(await securityEmails(admin.userId)).toEqual(changes);
  expect((await auditOf(admin.userId)).map(({ action }) => action)).toEqual([
    "role.admin",
    ...changes.map((change) => `account.${change}`),
  ]);
});

test("the operator's reset leaves the password alone, and nobody signed in", async () => {
  const admin = await anAdmin();
  await setUp(admin);
  const reset = { email: ` ${admin.email.toUpperCase()}`, actor: "command" };
  expect(await resetTwoFactor(scenario.app, reset)).toEqual({ ok: true });
  expect(await resetTwoFactor(scenario.app, reset)).toEqual({
    ok: false,
    reason: "no-second-factor",
  });
  expect(await resetTwoFactor(scenario.app, { ...reset, email: "nobody@uni.example" })).toEqual({
    ok: false,
    reason: "no-account",
  });
  expect((await site("/wallet", { cookie: admin.cookie })).status).toBe(302);
  const { response } = await givePassword(admin);
  expect(cookieIn(response, "session")).toBeDefined();
  expect(await securityEmails(admin.userId)).toEqual(["two-factor-on", "two-factor-reset"]);
  const entry = { actor: "command", action: "account.two-factor-reset" };
  expect(await auditOf(admin.userId)).toContainEqual(entry);
});

test("a second factor goes with the account", async () => {
  const [admin] = [await anAdmin(), await anAdmin()];
  await setUp(admin);
  const body = form({ intent: "delete-account", password: PASSWORD });
  expect((await site("/settings/delete-account", { cookie: admin.cookie, body })).status).toBe(302);
  const left = scenario.app.db.selectFrom("second_factors").select("user_id");
  expect(await left.where("user_id", "=", admin.userId).execute()).toEqual([]);
});

test("a session that gave the code of an earlier factor gives one of the new factor", async () => {
  const admin = await anAdmin();
  await setUp(admin);
  const former = admin.cookie;
  await turnOffTwoFactor(scenario.app, admin.userId);
  expect((await site("/admin", { cookie: former })).status).toBe(200);
  admin.cookie = await signIn(scenario.app, admin.userId);
  const { secret } = await setUp(admin);
  expect((await site("/admin", { cookie: admin.cookie })).status).toBe(200);
  expect(location(await site("/admin", { cookie: former }))).toBe("/auth/code?redirectTo=%2Fadmin");
  expect((await giveCode(former, codeAt(secret))).status).toBe(302);
});

test("a sign-in ends the one that waits for somebody else's code in this browser", async () => {
  const [gone, admin] = [await anAdmin(), await anAdmin()];
  await setUp(gone);
  const { cookie: step } = await givePassword(gone);
  expect((await site("/auth/code", { cookie: step })).status).toBe(200);
  const { response } = await givePassword(admin, "", step);
  expect(cookieIn(response, "session")).toBeDefined();
  const cleared = response.headers.getSetCookie().filter((line) => line.includes("second-step=;"));
  expect(cleared).toEqual([expect.stringContaining("Max-Age=0")]);
});

test("the page that asks for the code waits for no change of the password", async () => {
  const admin = await anAdmin();
  await setUp(admin);
  const { cookie } = await givePassword(admin);
  await scenario.app.db.transaction().execute(async (tx) => {
    await lockPassword(tx, admin.userId);
    expect((await site("/auth/code", { cookie })).status).toBe(200);
  });
});

test("an account that is deleted while a factor is set up keeps none", async () => {
  const [admin] = [await anAdmin(), await anAdmin()];
  const { db } = scenario.app;
  const setting = await db.transaction().execute(async (tx) => {
    await lockAccount(tx, admin);
    const setting = setUp(admin);
    await vi.waitUntil(isAnyWaiting);
    const gone = { email: "deleted-1@deleted.invalid", name: "Deleted player" };
    await anonymizePlayer(tx, admin.userId, gone, scenario.app.now());
    await anonymizeAccount(
      tx,
      { userId: admin.userId, person: admin.email },
      gone,
      scenario.app.now(),
    );
    return { status: setting.then(({ status }) => status) };
  });
  expect(await setting.status).toBe(409);
  const left = db.selectFrom("second_factors").select("user_id");
  expect(await left.where("user_id", "=", admin.userId).execute()).toEqual([]);
});

async function isAnyWaiting(): Promise<boolean> {
  const { rows } = await scenario.database.pool.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows.length > 0;
}
