import { beforeAll, expect, test } from "vitest";
import { addAccount, PASSWORD } from "#test/accounts.ts";
import { testApp } from "#test/app.ts";
import { openBrowser } from "#test/cookie-jar.ts";
import { useDatabase } from "#test/db.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { issueLink } from "#app/features/accounts/mail-links.server.ts";
import type { App } from "#app/routes/context.server.ts";

const SESSION = "kickabout_session";
const database = useDatabase();
let app: App;
let site: AskSite;
beforeAll(async () => {
  app = testApp(database);
  site = await openSite(app);
});

const clearing = ({ headers }: Response) => headers.get("Clear-Site-Data");

/** A browser in which that account has signed in by the form. */
async function aPhone({ email }: { email: string }) {
  const browser = openBrowser(site);
  const signIn = (who: { email: string }) =>
    browser.post("/auth", { intent: "sign-in", email: who.email, password: PASSWORD });
  expect(clearing(await signIn({ email }))).toBeNull();
  return { ...browser, signIn };
}

async function endSessions({ userId }: { userId: string }) {
  await app.db.deleteFrom("sessions").where("user_id", "=", userId).execute();
}

test("what a browser keeps stays for its account after the session has ended on the server", async () => {
  for (const path of ["/events", "/wallet.data", "/admin/games", "/auth"]) {
    const own = await addAccount(app);
    const phone = await aPhone(own);
    await endSessions(own);
    expect([path, clearing(await phone.get(path))]).toEqual([path, null]);
    const again = await phone.signIn(own);
    expect([again.status, clearing(again)]).toEqual([302, null]);
  }
});

test("when another account signs in only the cache goes, whatever became of the session before", async () => {
  const other = await addAccount(app);
  const endings = {
    "still open": async () => {},
    "ended on the server": endSessions,
    expired: async (_: unknown, { cookies }: ReturnType<typeof openBrowser>) => {
      cookies.delete(SESSION);
    },
  };
  for (const [what, end] of Object.entries(endings)) {
    const own = await addAccount(app);
    const phone = await aPhone(own);
    await end(own, phone);
    expect([what, clearing(await phone.signIn(other))]).toEqual([what, '"cache"']);
    expect([what, clearing(await phone.signIn(other))]).toEqual([what, null]);
    expect([what, clearing(await phone.signIn(own))]).toEqual([what, '"cache"']);
  }
});

test("a session of a browser whose account is not known any more counts as another's", async () => {
  const own = await addAccount(app);
  const phone = await aPhone(own);
  phone.cookies.delete("kickabout_device");
  expect(clearing(await phone.signIn(own))).toBe('"cache"');
});

test("a new password signs the browser out, and takes the cache of another account", async () => {
  const [own, other] = [await addAccount(app), await addAccount(app)];
  const phone = await aPhone(own);
  const renew = async ({ userId }: { userId: string }) => {
    const link = app.db.transaction();
    const token = await link.execute((tx) => issueLink(tx, "reset", userId, app.now()));
    return phone.post("/auth/reset", { token: token!, password: PASSWORD });
  };
  expect(clearing(await renew(own))).toBeNull();
  expect(phone.cookies.has(SESSION)).toBe(false);
  expect(clearing(await renew(other))).toBe('"cache"');
});

test("signing out takes all of it, by a script's request too", async () => {
  const own = await addAccount(app);
  for (const path of ["/sign-out", "/sign-out.data"]) {
    const phone = await aPhone(own);
    const away = await phone.post(path, {});
    expect([phone.cookies.has(SESSION), clearing(away)]).toEqual([false, '"cache", "storage"']);
  }
});
