import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { signIn } from "#test/visit.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { NOW } from "#test/fixtures.ts";
import { addAccount, PASSWORD } from "#test/accounts.ts";
import { startTwoFactor } from "#app/features/accounts/two-factor.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { receiveRequest } from "#app/routes/receive-request.server.ts";

const database = useDatabase();
let app: App;
let site: AskSite;
let account: { userId: string; email: string };
let cookie: string;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  site = await openSite(app);
});
beforeEach(async () => {
  account = await addAccount(app);
  cookie = await signIn(app, account.userId);
  vi.spyOn(log, "info").mockImplementation(() => {});
  vi.spyOn(log, "warn").mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

/** The security lines of the log, each of which names neither an address nor a token. */
function lines(): unknown[] {
  const calls = [...vi.mocked(log.info).mock.calls, ...vi.mocked(log.warn).mock.calls];
  const found = calls.filter(([, message]) => message === "security").map(([facts]) => facts);
  const [, token = ""] = cookie.split("=");
  for (const secret of ["@", account.email.split("@")[0]!, token.slice(0, 20), PASSWORD]) {
    expect(JSON.stringify(found)).not.toContain(secret);
  }
  return found;
}
const form = (fields: Record<string, string>) => new URLSearchParams(fields);
const giveForm = (password: string) =>
  site("/auth", { body: form({ intent: "sign-in", email: account.email, password }) });

test("a sign-in and what failed of one are logged, by a keyed hash of the address", async () => {
  const addressHash = app.accounts.hashEmail(account.email);
  for (let tries = 0; tries < 6; tries += 1) await giveForm("Wrong-Otter-1");
  await giveForm(PASSWORD);
  const networkHash = app.accounts.hashNetwork("192.0.2.1");
  const failed = { event: "sign-in failed", addressHash, networkHash };
  const tooMany = { event: "too many attempts", userId: undefined, networkHash, path: "/auth" };
  expect(lines()).toEqual([
    ...Array.from({ length: 5 }, () => ({ ...failed, reason: "wrong-credentials" })),
    { ...failed, reason: "too-many" },
    tooMany,
    { ...failed, reason: "too-many" },
    tooMany,
  ]);
  vi.mocked(log.warn).mockClear();
  await app.db.deleteFrom("sign_in_failures").execute();
  await giveForm(PASSWORD);
  expect(lines()).toEqual([{ event: "signed in", addressHash }]);
});

test("a failed sign-in names its network as rate_limits does, and no address", async () => {
  const { accounts } = app;
  for (const address of ["198.51.100.7", "2001:db8::7"]) {
    const fields = { intent: "sign-in", email: account.email, password: "Wrong-Otter-1" };
    await site("/auth", { body: form(fields), address });
    const networkHash = accounts.hashNetwork(address);
    expect(networkHash).toMatch(/^[\w-]{12}$/);
    expect(lines().at(-1)).toMatchObject({ event: "sign-in failed", networkHash });
    expect(JSON.stringify(lines())).not.toContain(address);
    const { rows } = await database.pool.query<{ key: string }>("select key from rate_limits");
    expect(rows.map(({ key }) => key.slice(0, 20))).toContain(`sign-in:${networkHash}`);
  }
});

test("a wrong code and a right one are logged, by the account", async () => {
  const { userId } = account;
  await app.db.insertInto("user_roles").values({ user_id: userId, role: "admin" }).execute();
  const { secret, setup } = startTwoFactor(app, { userId, replaces: null }, NOW);
  const { Secret, TOTP } = await import("otpauth");
  const codeAt = (ms: number) =>
    TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: NOW.getTime() + ms });
  const setUp = form({ intent: "confirm", setup, code: codeAt(0) });
  await site("/settings/two-factor", { cookie, body: setUp });
  const step = (await giveForm(PASSWORD)).headers.getSetCookie()[0]!.split(";")[0]!;
  await site("/auth/code", { cookie: step, body: form({ code: codeAt(300_000) }) });
  await site("/auth/code", { cookie: step, body: form({ code: codeAt(30_000) }) });
  expect(lines()).toEqual([
    { event: "password right, code owed", userId },
    { event: "second factor passed", userId },
    { event: "second factor failed", userId, reason: "wrong-code" },
  ]);
});

test("who is no admin, and a form of another site, are logged with where it was", async () => {
  const { userId } = account;
  const player = "0198c0de-0000-7000-8000-000000000000";
  await site(`/admin/players/${player}.data?q=${account.email}`, { cookie });
  await site(`/admin/${account.email}/A-token-of-somebody`, { cookie });
  const headers = { Origin: "https://evil.example", Cookie: cookie };
  const request = new Request("http://kickabout.test/wallet?token=abc", {
    ...{ method: "POST", headers, body: "intent=buy" },
  });
  expect(await receiveRequest(app, request, "192.0.2.1")).toMatchObject({ status: 403 });
  expect(lines()).toEqual([
    { event: "access denied", userId, path: `/admin/players/${player}` },
    { event: "access denied", userId, path: "/admin/…/…" },
    { event: "cross-site form rejected", path: "/wallet" },
  ]);
});
