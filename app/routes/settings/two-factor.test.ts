import { randomUUID } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { signIn } from "#test/visit.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { NOW } from "#test/fixtures.ts";
import { addAccount, PASSWORD } from "#test/accounts.ts";
import { changeRole } from "#app/features/accounts/account-status.server.ts";
import {
  confirmTwoFactor,
  consumeCode,
  startTwoFactor,
} from "#app/features/accounts/two-factor.server.ts";
import type { App } from "#app/routes/context.server.ts";

const MINUTE = 60_000;
const database = useDatabase();
let clock = NOW;
let app: App;
/** Where admins must have a second factor. */
let site: AskSite;
beforeAll(async () => {
  app = testApp(database, () => clock);
  app.env = { ...app.env, adminTwoFactor: "required" };
  site = await openSite(app);
});

const codeOf = (key: string) =>
  TOTP.generate({ secret: Secret.fromBase32(key), timestamp: clock.getTime() });

async function anAdmin() {
  const { userId } = await addAccount(app);
  await changeRole(app.db, { userId, isAdmin: true, actor: "test" });
  return { userId, cookie: await signIn(app, userId) };
}

/** An admin who has it on, and gave the code in two browsers. */
async function anAdminWithPhone() {
  const { userId } = await anAdmin();
  const { secret, setup } = startTwoFactor(app, { userId, replaces: null }, clock);
  const given = { userId, replaces: null, sessionId: randomUUID(), secret, code: codeOf(secret) };
  const on = await confirmTwoFactor(app, given, clock);
  const codes = on.ok ? on.recoveryCodes : [];
  const cookies = [await signIn(app, userId), await signIn(app, userId)];
  const sessions = app.db.updateTable("sessions").set({ second_factor_at: clock });
  await sessions.where("user_id", "=", userId).execute();
  clock = new Date(clock.getTime() + MINUTE);
  return { userId, here: cookies[0]!, there: cookies[1]!, former: { secret, setup }, codes };
}

test("with password and code it moves to another phone, also where it is required", async () => {
  const { userId, here, there, former, codes } = await anAdminWithPhone();
  let cookie = here;
  const post = (fields: Record<string, string>, by = cookie) =>
    site("/settings/two-factor", { cookie: by, body: new URLSearchParams(fields) });
  const ask = { intent: "move", password: PASSWORD, code: codes[0]! };
  expect((await post({ ...ask, password: "wrong" })).status).toBe(422);
  expect((await post({ ...ask, code: "" })).status).toBe(422);
  expect((await post({ ...ask, intent: "start" })).status).toBe(409);
  // A setup that only the password began replaces nothing.
  const early = { intent: "confirm", setup: former.setup, code: codeOf(former.secret) };
  expect((await post(early)).status).toBe(409);

  const page = await (await post(ask)).text();
  const setup = /name="setup" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const secret = /secret=([A-Z2-7]+)/.exec(page)?.[1] ?? "";
  const confirm = { intent: "confirm", setup, code: codeOf(secret) };
  // In two browsers: in one, the first of them changes the session that the second one brings.
  const browsers = [here, there];
  const responses = await Promise.all(browsers.map((browser) => post(confirm, browser)));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const mover = responses.findIndex(({ status }) => status === 200);
  const moved = responses[mover]!;
  expect((await post(confirm, browsers[mover])).headers.get("Location")).toBe("/");
  const session = (line: string) => line.startsWith("kickabout_session=");
  cookie = moved.headers.getSetCookie().find(session)!.split(";")[0]!;
  expect((await moved.text()).match(/<li[^>]*>[0-9a-z-]{28}</g)).toHaveLength(10);
  expect((await post(confirm)).status).toBe(409);
  expect((await site("/admin/players", { cookie })).status).toBe(200);
  const other = { cookie: browsers[1 - mover]! };
  expect((await site("/admin/players", other)).status).toBe(302);

  clock = new Date(clock.getTime() + MINUTE);
  const works = (code: string) => consumeCode(app, { userId, code }, clock);
  expect(await works(codeOf(former.secret))).toBe(false);
  expect(await works(codes[1]!)).toBe(false);
  expect(await works(codeOf(secret))).toBe(true);
  const entries = app.db.selectFrom("audit_log").select("action").where("subject", "=", userId);
  const actions = (await entries.orderBy("id").execute()).map(({ action }) => action);
  expect(actions).toEqual(["role.admin", "account.two-factor-on", "account.two-factor-on"]);
  const { rows } = await database.pool.query(
    `select from pgboss.job where name = 'mail.send' and data->>'kind' = 'account-security'
     and data->>'userId' = $1 and data->>'change' = 'two-factor-on'`,
    [userId],
  );
  expect(rows).toHaveLength(2);
});

test("a recovery code may be typed with O for 0 and with I or L for 1", async () => {
  const { userId, codes } = await anAdminWithPhone();
  for (const [index, code] of codes.entries()) {
    const one = index % 2 === 0 ? "I" : "L";
    const typed = code.toUpperCase().replaceAll("0", "O").replaceAll("1", one);
    expect(await consumeCode(app, { userId, code: typed }, clock)).toBe(true);
  }
});

test("players have no such page, and the list of settings does not name it", async () => {
  const { userId } = await addAccount(app);
  const cookie = await signIn(app, userId);
  const missing = await site("/settings/two-factor", { cookie });
  expect([missing.status, await missing.text()]).toEqual([
    404,
    expect.stringContaining("Page not found"),
  ]);
  expect(await (await site("/settings", { cookie })).text()).not.toContain("two-factor");
  const admin = await anAdmin();
  expect(await (await site("/settings", { cookie: admin.cookie })).text()).toContain(
    'href="/settings/two-factor"',
  );
});
