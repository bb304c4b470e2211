import { beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { matrixScenario } from "#test/matrix-scenario.ts";
import { signIn } from "#test/visit.ts";
import { allAddresses, type AskSite, openSite } from "#test/whole-site.ts";
import { addAccount, PASSWORD } from "#test/accounts.ts";
import { setPassword } from "#app/features/accounts/passwords.server.ts";
import { cookieIn, form, location, MINUTE, useSecondFactor } from "#test/second-factor.ts";

const scenario = useSecondFactor();
const { anAdmin, auditOf, securityEmails, codeAt, giveCode, givePassword, later, setUp, site } =
  scenario;
/** The same site where admins must have a second factor. */
let strict: AskSite;
/** The same site in another process. */
let elsewhere: AskSite;
beforeAll(async () => {
  const { app } = scenario;
  strict = await openSite({ ...app, env: { ...app.env, adminTwoFactor: "required" } });
  elsewhere = await openSite({ ...app, accounts: testApp(scenario.database).accounts });
});

/** The first form of the page: what it shows, and the sealed copy of it. */
async function start({ cookie }: { cookie: string }) {
  const body = form({ intent: "start", password: PASSWORD });
  const page = await (await site("/settings/two-factor", { cookie, body })).text();
  const setup = /name="setup" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const secret = /secret=([A-Z2-7]+)/.exec(page)?.[1] ?? "";
  return { setup, secret };
}

// spec: 7.3
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
  expect(await securityEmails(admin.userId)).toEqual(["two-factor-on"]);
  const entry = { actor: admin.userId, action: "account.two-factor-on" };
  expect(await auditOf(admin.userId)).toContainEqual(entry);
});

test("a code counts once, from whichever clock of three steps, and at once too", async () => {
  const admin = await anAdmin();
  const { secret } = await setUp(admin);
  const { cookie } = await givePassword(admin);
  const code = codeAt(secret, 1);
  const responses = await Promise.all([1, 2, 3, 4].map(() => giveCode(cookie, code)));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([302, 401, 401, 401]);
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
  const responses = await Promise.all(
    [typed, codes[3]!, codes[3]!].map((c) => giveCode(cookie, c)),
  );
  expect(responses.map(({ status }) => status).toSorted()).toEqual([302, 401, 401]);
  expect((await giveCode(cookie, codes[3]!)).status).toBe(401);
  const next = await giveCode(cookie, codes[4]!);
  expect(next.status).toBe(302);
  const events = { cookie: `${cookieIn(next, "session")}; ${cookieIn(next, "toast")}` };
  expect(await (await site("/wallet", events)).text()).toContain("8 are left.");
  expect(
    (await securityEmails(admin.userId)).filter((c) => c === "recovery-code-used"),
  ).toHaveLength(2);
  const { rows } = await scenario.database.pool.query("select code_hash from recovery_codes");
  expect(JSON.stringify(rows)).not.toContain(codes[5]!.replaceAll("-", ""));
});

test("a code counts with whichever hyphen, space or full-width digit it was typed", async () => {
  const admin = await anAdmin();
  const { secret, codes } = await setUp(admin);
  const typed = [
    `\u200b${codes[0]!.replaceAll("-", "–")}\u2060`,
    codes[1]!.replaceAll("-", "\u2011"),
    codeAt(secret).replace(/./g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)),
  ];
  for (const code of typed) {
    const { cookie } = await givePassword(admin);
    expect((await giveCode(cookie, code)).status).toBe(302);
  }
});

test("wrong codes are slowed down, in all processes together, and never lock out", async () => {
  const admin = await anAdmin();
  const { secret } = await setUp(admin);
  const { cookie } = await givePassword(admin);
  const wrong = { cookie, body: form({ code: codeAt(secret, 9) }) };
  const processes = Array.from({ length: 12 }, (_, n) => (n % 2 ? site : elsewhere));
  const guesses = await Promise.all(processes.map((ask) => ask("/auth/code", wrong)));
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
  const { app } = scenario;
  await app.db.transaction().execute((tx) => setPassword(tx, admin.userId, "another", app.now()));
  expect(location(await site("/auth/code", { cookie: second.cookie }))).toBe("/auth");
  expect(location(await giveCode(second.cookie, codeAt(secret)))).toBe("/auth");
  const forged = `${second.cookie.split(".").slice(0, -1).join(".")}.AAAA`;
  expect(location(await giveCode(forged, codeAt(secret)))).toBe("/auth");
});

test("a session that began without the code gives it before it sees an admin page", async () => {
  const admin = await anAdmin();
  const other = await signIn(scenario.app, admin.userId);
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

// spec: 6.8
test("where it is required, no admin address opens until it is set up", async () => {
  const { foreign } = await matrixScenario(scenario.app);
  const admin = await anAdmin();
  const places = allAddresses().filter(({ path }) => path.startsWith("/admin"));
  expect(places.length).toBeGreaterThan(25);
  for (const { path } of places) {
    const address = path.replace(/:(\w+)|\*/g, (part, name = part) => foreign[name] ?? "x");
    for (const body of [undefined, form({ intent: "anything" })]) {
      const response = await strict(address, { cookie: admin.cookie, ...(body && { body }) });
      const to = location(response)?.split("?")[0];
      // What has no form takes none, from anybody.
      if (body && response.status === 405) continue;
      expect([address, response.status, to]).toEqual([address, 302, "/settings/two-factor"]);
    }
  }
  const data = await (await strict("/admin/players.data", { cookie: admin.cookie })).text();
  expect(data).toContain("/settings/two-factor");
  await setUp(admin, { through: strict });
  expect((await strict("/admin/players", { cookie: admin.cookie })).status).toBe(200);
  const off = form({ intent: "turn-off", password: PASSWORD, code: "000000" });
  const failed = await strict("/settings/two-factor", { cookie: admin.cookie, body: off });
  expect(failed.status).toBe(409);
});

test("a setup needs the password, belongs to one account and is over in ten minutes", async () => {
  const [admin, other] = [await anAdmin(), await anAdmin()];
  const post = ({ cookie }: { cookie: string }, fields: Record<string, string>) =>
    site("/settings/two-factor", { cookie, body: form(fields) });
  expect((await post(admin, { intent: "start", password: "wrong" })).status).toBe(422);
  const { setup, secret } = await start(admin);
  const confirm = { intent: "confirm", setup, code: codeAt(secret) };
  expect((await post(other, confirm)).status).toBe(409);
  const again = await post(admin, { ...confirm, code: codeAt(secret, 5) });
  expect([again.status, await again.text()]).toEqual([422, expect.stringContaining(secret)]);
  later(10 * MINUTE);
  expect((await post(admin, { ...confirm, code: codeAt(secret) })).status).toBe(409);
  const { rows } = await scenario.database.pool.query(
    "select from second_factors where user_id = any($1)",
    [[admin.userId, other.userId]],
  );
  expect(rows).toEqual([]);
});

test("players have no such page, and the list of settings does not name it", async () => {
  const { userId } = await addAccount(scenario.app);
  const cookie = await signIn(scenario.app, userId);
  expect((await site("/settings/two-factor", { cookie })).status).toBe(404);
  expect(await (await site("/settings", { cookie })).text()).not.toContain("two-factor");
  const admin = await anAdmin();
  expect(await (await site("/settings", admin)).text()).toContain('href="/settings/two-factor"');
});
