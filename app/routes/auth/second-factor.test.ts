import { Secret, TOTP } from "otpauth";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { testApp } from "../../../test/app.ts";
import { useDatabase } from "../../../test/db.ts";
import { matrixWorld } from "../../../test/matrix-world.ts";
import { signIn } from "../../../test/visit.ts";
import { allPlaces, type AskSite, openSite } from "../../../test/whole-site.ts";
import { NOW } from "../../../test/world.ts";
import { addAccount, PASSWORD } from "../../features/accounts/account-fixture.ts";
import { changeRole } from "../../features/accounts/change-role.server.ts";
import { resetTwoFactor, startTwoFactor } from "../../features/accounts/two-factor.server.ts";
import type { App } from "../context.server.ts";

const MINUTE = 60_000;
const database = useDatabase();
let clock = NOW;
let app: App;
let site: AskSite;
/** The same site where admins must have a second factor. */
let strict: AskSite;
beforeAll(async () => {
  app = testApp(database, () => clock);
  site = await openSite(app);
  strict = await openSite({ ...app, env: { ...app.env, adminTwoFactor: "required" } });
});
beforeEach(() => {
  clock = NOW;
});

const later = (ms: number) => (clock = new Date(clock.getTime() + ms));
const codeAt = (key: string, steps = 0) => {
  const timestamp = clock.getTime() + steps * 30_000;
  return TOTP.generate({ secret: Secret.fromBase32(key), timestamp });
};
const CODES = /[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){4}-[0-9a-hjkmnp-tv-z]{3}(?=<)/g;
const form = (fields: Record<string, string>) => new URLSearchParams(fields);
const cookieIn = (response: Response, name: string) =>
  response.headers
    .getSetCookie()
    .find((line) => line.startsWith(`kickabout_${name}=`) && !line.includes("Max-Age=0"))
    ?.split(";")[0];
const location = (response: Response) => response.headers.get("Location");

async function anAdmin() {
  const account = await addAccount(app);
  await changeRole(app.db, { userId: account.userId, isAdmin: true, actor: "test" });
  return { ...account, cookie: await signIn(app, account.userId) };
}
type Person = Awaited<ReturnType<typeof anAdmin>>;

/** The first form of the page: what it shows, and the sealed copy of it. */
async function start({ cookie }: Person) {
  const body = form({ intent: "start", password: PASSWORD });
  const page = await (await site("/settings/two-factor", { cookie, body })).text();
  const setup = /name="setup" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const secret = /secret=([A-Z2-7]+)/.exec(page)?.[1] ?? "";
  return { setup, secret };
}

/** Sets up the second factor, without asking for the password; the clock is then past its code. */
async function setUp(admin: Person, { through = site, started = quickStart(admin) } = {}) {
  const { setup, secret } = started;
  const body = form({ intent: "confirm", setup, code: codeAt(secret) });
  const confirmed = await through("/settings/two-factor", { cookie: admin.cookie, body });
  admin.cookie = cookieIn(confirmed, "session") ?? admin.cookie;
  const page = await confirmed.text();
  const codes = page.match(CODES) ?? [];
  later(MINUTE);
  return { secret, codes, status: confirmed.status };
}
const quickStart = ({ userId }: Person) => startTwoFactor(app, { userId, replaces: null }, clock);

/** The answer to e-mail and password, and what the browser then carries. */
async function givePassword({ email }: { email: string }, redirectTo = "") {
  const body = form({ intent: "sign-in", email, password: PASSWORD, redirectTo });
  const response = await site("/auth", { body });
  return { response, cookie: cookieIn(response, "second-step") ?? "" };
}
const giveCode = (cookie: string, code: string, redirectTo = "") =>
  site("/auth/code", { cookie, body: form({ code, redirectTo }) });

const jobsOf = async (userId: string) => {
  const { rows } = await database.pool.query<{ change: string }>(
    `select data->>'change' as change from pgboss.job
     where name = 'mail.account-security' and data->>'userId' = $1 order by created_on`,
    [userId],
  );
  return rows.map(({ change }) => change);
};
const auditOf = async (userId: string) => {
  const entries = app.db.selectFrom("audit_log").select(["actor", "action"]);
  return entries.where("subject", "=", userId).orderBy("id").execute();
};

test("once set up, password and code together sign in, and lead where one wanted to go", async () => {
  const admin = await anAdmin();
  const { cookie: before } = admin;
  const { secret, codes, status } = await setUp(admin, { started: await start(admin) });
  expect(status).toBe(200);
  expect((await site("/wallet", { cookie: before })).status).toBe(302);
  expect(new Set(codes).size).toBe(10);
  const { response, cookie } = await givePassword(admin, "/wallet?x=1");
  expect([response.status, location(response)]).toEqual([
    302,
    "/auth/code?redirectTo=%2Fwallet%3Fx%3D1",
  ]);
  expect(cookieIn(response, "session")).toBeUndefined();
  expect((await site("/wallet", { cookie })).status).toBe(302);
  const page = await site("/auth/code?redirectTo=%2Fwallet%3Fx%3D1", { cookie });
  expect([page.status, page.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
  expect(await page.text()).toContain('name="redirectTo" value="/wallet?x=1"');

  expect((await giveCode(cookie, "")).status).toBe(422);
  expect((await giveCode(cookie, codeAt(secret, 5))).status).toBe(401);
  const passed = await giveCode(cookie, codeAt(secret), "/wallet?x=1");
  expect([passed.status, location(passed)]).toEqual([302, "/wallet?x=1"]);
  const session = cookieIn(passed, "session") ?? "";
  expect((await site("/admin", { cookie: session })).status).toBe(200);
  expect(await jobsOf(admin.userId)).toEqual(["two-factor-on"]);
  const entry = { actor: admin.userId, action: "account.two-factor-on" };
  expect(await auditOf(admin.userId)).toContainEqual(entry);
});

test("a code counts once, from whichever clock of three steps, and at once too", async () => {
  const admin = await anAdmin();
  const { secret } = await setUp(admin);
  const { cookie } = await givePassword(admin);
  const code = codeAt(secret, 1);
  const answers = await Promise.all([1, 2, 3, 4].map(() => giveCode(cookie, code)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([302, 401, 401, 401]);
  expect((await giveCode(cookie, code)).status).toBe(401);
  // An older code than the one that was used is over as well.
  later(10 * MINUTE);
  const next = await givePassword(admin);
  expect((await giveCode(next.cookie, codeAt(secret, -1))).status).toBe(302);
});

test("a recovery code lets in once, also when it is sent twice at once", async () => {
  const admin = await anAdmin();
  const { codes } = await setUp(admin);
  const { cookie } = await givePassword(admin);
  const typed = ` ${codes[3]!.toUpperCase().replaceAll("-", " ")} `;
  const answers = await Promise.all([typed, codes[3]!, codes[3]!].map((c) => giveCode(cookie, c)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([302, 401, 401]);
  expect((await giveCode(cookie, codes[3]!)).status).toBe(401);
  const next = await giveCode(cookie, codes[4]!);
  expect(next.status).toBe(302);
  const events = { cookie: `${cookieIn(next, "session")}; ${cookieIn(next, "flash")}` };
  expect(await (await site("/wallet", events)).text()).toContain("8 are left.");
  expect((await jobsOf(admin.userId)).filter((c) => c === "recovery-code-used")).toHaveLength(2);
  const { rows } = await database.pool.query("select code_hash from recovery_codes");
  expect(JSON.stringify(rows)).not.toContain(codes[5]!.replaceAll("-", ""));
});

test("wrong codes are slowed down, in all processes together, and never lock out", async () => {
  const admin = await anAdmin();
  const { secret } = await setUp(admin);
  const { cookie } = await givePassword(admin);
  const wrong = () => giveCode(cookie, codeAt(secret, 9));
  const guesses = await Promise.all(Array.from({ length: 12 }, wrong));
  const statuses = guesses.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([401, 401, 401, 401, 401, ...Array.from({ length: 7 }, () => 429)]);
  const right = await giveCode(cookie, codeAt(secret));
  expect([right.status, right.headers.get("Retry-After")]).toEqual([429, "1"]);
  later(2_000);
  expect((await giveCode(cookie, codeAt(secret))).status).toBe(302);
});

test("the code has ten minutes, and the password must still be the same", async () => {
  const admin = await anAdmin();
  const { secret } = await setUp(admin);
  const first = await givePassword(admin);
  later(10 * MINUTE);
  expect(location(await giveCode(first.cookie, codeAt(secret)))).toBe("/auth");
  const second = await givePassword(admin);
  await database.pool.query("update accounts set password = 'another' where user_id = $1", [
    admin.userId,
  ]);
  expect(location(await site("/auth/code", { cookie: second.cookie }))).toBe("/auth");
  expect(location(await giveCode(second.cookie, codeAt(secret)))).toBe("/auth");
  const forged = `${second.cookie.split(".").slice(0, -1).join(".")}.AAAA`;
  expect(location(await giveCode(forged, codeAt(secret)))).toBe("/auth");
});

test("a session that began without the code gives it before it sees an admin page", async () => {
  const admin = await anAdmin();
  const other = await signIn(app, admin.userId);
  const { secret } = await setUp(admin);
  expect((await site("/admin", { cookie: admin.cookie })).status).toBe(200);
  expect(location(await site("/admin/games", { cookie: other }))).toBe(
    "/auth/code?redirectTo=%2Fadmin%2Fgames",
  );
  expect((await site("/wallet", { cookie: other })).status).toBe(200);
  const passed = await giveCode(other, codeAt(secret), "/admin/games");
  expect(location(passed)).toBe("/admin/games");
  const session = cookieIn(passed, "session") ?? "";
  expect((await site("/admin/games", { cookie: session })).status).toBe(200);
  // The token that had less is gone.
  expect((await site("/wallet", { cookie: other })).status).toBe(302);
});

test("where it is required, no admin address opens until it is set up", async () => {
  const world = await matrixWorld(app);
  const admin = await anAdmin();
  const places = allPlaces().filter(({ path }) => path.startsWith("/admin"));
  expect(places.length).toBeGreaterThan(25);
  for (const { path } of places) {
    const address = path.replace(/:(\w+)|\*/g, (part, name = part) => world.foreign[name] ?? "x");
    for (const body of [undefined, form({ intent: "anything" })]) {
      const answer = await strict(address, { cookie: admin.cookie, ...(body && { body }) });
      const to = location(answer)?.split("?")[0];
      // What has no form takes none, from anybody.
      if (body && answer.status === 405) continue;
      expect([address, answer.status, to]).toEqual([address, 302, "/settings/two-factor"]);
    }
  }
  const data = await (await strict("/admin/players.data", { cookie: admin.cookie })).text();
  expect(data).toContain("/settings/two-factor");
  await setUp(admin, { through: strict });
  expect((await strict("/admin/players", { cookie: admin.cookie })).status).toBe(200);
  const off = form({ intent: "turn-off", password: PASSWORD, code: "000000" });
  const refused = await strict("/settings/two-factor", { cookie: admin.cookie, body: off });
  expect(refused.status).toBe(409);
});

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
  expect(renewed.match(CODES)).toHaveLength(10);
  expect(renewed).not.toContain(codes[0]);
  expect((await post({ ...ask, intent: "turn-off", code: codes[0]! })).status).toBe(422);
  later(MINUTE);
  const off = await post({ ...ask, intent: "turn-off", code: codeAt(secret) });
  expect([off.status, location(off)]).toEqual([302, "/settings"]);
  const { response } = await givePassword(admin);
  expect(cookieIn(response, "session")).toBeDefined();
  const changes = ["two-factor-on", "recovery-codes", "two-factor-off"];
  expect(await jobsOf(admin.userId)).toEqual(changes);
  expect((await auditOf(admin.userId)).map(({ action }) => action)).toEqual([
    "role.admin",
    ...changes.map((change) => `account.${change}`),
  ]);
});

test("a setup needs the password, belongs to one account and is over in ten minutes", async () => {
  const [admin, other] = [await anAdmin(), await anAdmin()];
  const post = ({ cookie }: Person, fields: Record<string, string>) =>
    site("/settings/two-factor", { cookie, body: form(fields) });
  expect((await post(admin, { intent: "start", password: "wrong" })).status).toBe(422);
  const { setup, secret } = await start(admin);
  const confirm = { intent: "confirm", setup, code: codeAt(secret) };
  expect((await post(other, confirm)).status).toBe(409);
  const again = await post(admin, { ...confirm, code: codeAt(secret, 5) });
  expect([again.status, await again.text()]).toEqual([422, expect.stringContaining(secret)]);
  later(10 * MINUTE);
  expect((await post(admin, { ...confirm, code: codeAt(secret) })).status).toBe(409);
  const { rows } = await database.pool.query("select from second_factors where user_id = any($1)", [
    [admin.userId, other.userId],
  ]);
  expect(rows).toEqual([]);
});

test("the operator's reset leaves the password alone, and nobody signed in", async () => {
  const admin = await anAdmin();
  await setUp(admin);
  const reset = { email: ` ${admin.email.toUpperCase()}`, actor: "command" };
  expect(await resetTwoFactor(app, reset)).toEqual({ ok: true });
  expect(await resetTwoFactor(app, reset)).toEqual({ ok: false, reason: "no-second-factor" });
  expect(await resetTwoFactor(app, { ...reset, email: "nobody@uni.example" })).toEqual({
    ok: false,
    reason: "no-account",
  });
  expect((await site("/wallet", { cookie: admin.cookie })).status).toBe(302);
  const { response } = await givePassword(admin);
  expect(cookieIn(response, "session")).toBeDefined();
  expect(await jobsOf(admin.userId)).toEqual(["two-factor-on", "two-factor-reset"]);
  const entry = { actor: "command", action: "account.two-factor-reset" };
  expect(await auditOf(admin.userId)).toContainEqual(entry);
});

test("a second factor goes with the account", async () => {
  const [admin] = [await anAdmin(), await anAdmin()];
  await setUp(admin);
  const body = form({ intent: "delete-account", password: PASSWORD });
  expect((await site("/settings/delete-account", { cookie: admin.cookie, body })).status).toBe(302);
  const left = app.db.selectFrom("second_factors").select("user_id");
  expect(await left.where("user_id", "=", admin.userId).execute()).toEqual([]);
});
