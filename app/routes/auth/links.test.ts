import { beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { visit } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import { addAccount, addSignUp, PASSWORD, waitingJobs } from "#test/accounts.ts";
import { sendConfirmation } from "#app/features/accounts/sign-ups.server.ts";
import { OUR_FAULT } from "#app/forms/messages.ts";
import type { App } from "#app/routes/context.server.ts";
import { signInCookie, signUpBrowser, signUpCookie } from "#app/routes/cookies.server.ts";
import { action as confirm, loader as confirmPage } from "./confirm.tsx";
import { action as signOut } from "./sign-out.tsx";

const database = useDatabase();
let app: App;
beforeAll(() => {
  app = testApp(database);
});

/** A sign-up, its link, and the cookie of the browser that it came from. */
async function linked() {
  const request = new Request("http://kickabout.test/auth");
  const { browserHash, setCookie } = await signUpCookie(app.env, request);
  const signUp = await addSignUp(app, { browserHash });
  const { signUpId, email: mailbox } = signUp;
  await app.db
    .transaction()
    .execute((tx) => sendConfirmation(tx, app.jobs, { signUpId, mailbox }, new Date()));
  const jobs = await waitingJobs(database.pool, "confirm-address");
  const token = jobs.find((job) => job.signUpId === signUpId)?.token ?? "";
  return { ...signUp, token, browser: setCookie.split(";")[0] ?? "" };
}

async function cookieOf(userId: string) {
  const cookie = await signInCookie(app.env, await app.accounts.openSession(userId));
  return cookie.split(";")[0] ?? "";
}

const open = (path: string, cookie = "") => visit(app, confirmPage, { path, cookie });
const press = (token: string, cookie = "", password = "") =>
  visit(app, confirm, { path: "/auth/confirm", cookie, body: { token, password } });
const leave = (cookie: string, as = app) =>
  visit(as, signOut, { path: "/sign-out", cookie, body: {} });
const session = ({ headers }: { headers: Headers }) =>
  headers.getSetCookie().find((cookie) => cookie.startsWith("kickabout_session="));

// spec: 2.44
test("a confirmation link's button leads to the front page, signed in, once", async () => {
  const { token, browser } = await linked();
  const response = await press(token, browser);
  expect(response.status).toBe(302);
  expect(response.headers.get("Location")).toBe("/");
  expect(session(response)).toBeDefined();
  const again = await press(token, browser);
  expect(again.status).toBe(410);
  expect(session(again)).toBeUndefined();
});

test("in another browser it asks for the password, says what is wrong and keeps the form", async () => {
  const { token, email } = await linked();
  const link = { token, email, firstName: null };
  for (const [password, error] of [
    ["", "Please type the password that you chose when you signed up"],
    ["Wrong1234", "This is not the password of this sign-up"],
  ] as const) {
    const { status, data } = await press(token, "", password);
    expect([status, data]).toMatchObject([422, { link, fieldErrors: { password: error } }]);
  }
  expect((await press(token, "", PASSWORD)).status).toBe(302);
});

test("another browser's key and a forged one are none", async () => {
  const { token, browser } = await linked();
  const other = await linked();
  for (const cookie of [other.browser, `${browser.slice(0, -6)}AAAAAA`]) {
    expect((await press(token, cookie)).status).toBe(422);
  }
});

test("one key serves all sign-ups of a browser", async () => {
  const { browser } = await linked();
  const request = new Request("http://kickabout.test/auth", { headers: { Cookie: browser } });
  const { browserHash, setCookie } = await signUpCookie(app.env, request);
  expect(setCookie).toContain(`${browser};`);
  expect(setCookie).toMatch(/Max-Age=86400;.*HttpOnly; SameSite=Lax/);
  expect(browserHash).toBe(await signUpBrowser(app.env, request));
});

test("a used link says that its address is confirmed already; another one does not", async () => {
  const { token, browser } = await linked();
  await press(token, browser);
  const used = await open(`/auth/confirm?token=${token}`);
  expect([used.status, used.data]).toEqual([410, { link: null, isConfirmed: true }]);
  const other = await open("/auth/confirm?token=made-up");
  expect([other.status, other.data]).toEqual([410, { link: null, isConfirmed: false }]);
});

test("who opens a used link signed in by it is led home", async () => {
  const { token, browser, email } = await linked();
  await press(token, browser);
  const user = app.db.selectFrom("users").select("id").where("email", "=", email);
  const { id } = await user.executeTakeFirstOrThrow();
  const mine = await open(`/auth/confirm?token=${token}`, await cookieOf(id));
  expect([mine.status, mine.headers.get("Location")]).toEqual([302, "/"]);
  const other = await cookieOf((await addAccount(app)).userId);
  expect((await open(`/auth/confirm?token=${token}`, other)).status).toBe(410);
});

test("without a token: 400", async () => {
  expect((await open("/auth/confirm")).status).toBe(400);
  expect((await press("")).status).toBe(410);
});

test("what breaks on our side shows", async () => {
  const broken = { ...app, db: app.db.withSchema("nowhere") };
  const body = { token: "any" };
  const { status, data } = await visit(broken, confirm, { path: "/auth/confirm", body });
  expect([status, data]).toMatchObject([
    500,
    { title: "Nothing was confirmed", formError: OUR_FAULT },
  ]);
});

// spec: 1.3, 4.4, 7.4
test("signing out ends the session on the server and in the browser", async () => {
  const { userId } = await addAccount(app);
  const cookie = await cookieOf(userId);
  const response = await leave(cookie);
  expect(response.headers.get("Location")).toBe("/");
  expect(session(response)).toMatch(/^kickabout_session=;.*Max-Age=0/);
  expect(response.headers.get("Clear-Site-Data")).toBe('"cache", "storage"');
  const left = app.db.selectFrom("sessions").select("id").where("user_id", "=", userId);
  expect(await left.execute()).toEqual([]);
});

test("a session that was ended elsewhere takes the cookie, and what its account typed stays", async () => {
  const { userId } = await addAccount(app);
  const cookie = await cookieOf(userId);
  await app.db.deleteFrom("sessions").where("user_id", "=", userId).execute();
  const site = await openSite(app);
  for (const path of ["/wallet", "/wallet.data"]) {
    const response = await site(path, { cookie });
    expect(session(response)).toMatch(/^kickabout_session=;.*Max-Age=0/);
    expect(response.headers.get("Clear-Site-Data")).toBeNull();
  }
});

// spec: 4.5
test("without the database the browser is signed out all the same", async () => {
  const { userId } = await addAccount(app);
  const cookie = await cookieOf(userId);
  const closeSession = () => Promise.reject(new Error("no database"));
  const as = { ...app, accounts: { ...app.accounts, closeSession } };
  const response = await leave(cookie, as);
  expect(response.status).toBe(302);
  expect(session(response)).toMatch(/^kickabout_session=;/);
});
