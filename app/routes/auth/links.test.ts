import { beforeAll, expect, test } from "vitest";
import { requestContext, testApp } from "../../../test/app.ts";
import { useDatabase } from "../../../test/db.ts";
import { visit } from "../../../test/visit.ts";
import { addAccount, waitingJobs } from "../../features/accounts/account-fixture.ts";
import { sendConfirmation } from "../../features/accounts/send-confirmation.server.ts";
import type { App } from "../context.server.ts";
import { sessionMiddleware } from "../guards.server.ts";
import { signInCookie } from "../session-cookie.server.ts";
import { loader as confirm } from "./confirm.tsx";
import { action as signOut } from "./sign-out.tsx";

const database = useDatabase();
let app: App;
beforeAll(() => {
  app = testApp(database);
});

async function linked() {
  const { userId } = await addAccount(app, { confirmed: false });
  await app.db.transaction().execute((tx) => sendConfirmation(tx, app.jobs, userId, new Date()));
  const jobs = await waitingJobs(database.pool, "mail.confirm-address");
  return { userId, token: jobs.find((job) => job.userId === userId)?.token ?? "" };
}

async function cookieOf(userId: string) {
  const cookie = await signInCookie(app.env, await app.accounts.openSession(userId));
  return cookie.split(";")[0] ?? "";
}

async function open(path: string, { method = "GET", cookie = "", as = app } = {}) {
  const headers = { Cookie: cookie };
  const request = new Request(`http://kickabout.test${path}`, { method, headers });
  const args = { request, context: requestContext(as), url: new URL(request.url), params: {} };
  const page = () =>
    method === "POST"
      ? signOut({ ...args, pattern: "/sign-out" })
      : confirm({ ...args, pattern: "/auth/confirm" });
  const response = await sessionMiddleware({ ...args, pattern: path }, async () => {
    const result: unknown = await page().catch((thrown: unknown) => thrown);
    if (result instanceof Response) return result;
    const { init } = (result ?? {}) as { init?: ResponseInit };
    return new Response(null, init ?? {});
  });
  return response as Response;
}
/** What the page of a link that does nothing is told. */
async function explained(token: string) {
  const { data } = await visit(app, confirm, { path: `/auth/confirm?token=${token}` });
  return data;
}
const session = (response: Response) =>
  response.headers.getSetCookie().find((cookie) => cookie.startsWith("kickabout_session="));

test("a confirmation link leads to the front page, signed in, once", async () => {
  const { token } = await linked();
  const response = await open(`/auth/confirm?token=${token}`);
  expect(response.status).toBe(302);
  expect(response.headers.get("Location")).toBe("/");
  expect(session(response)).toBeDefined();
  const again = await open(`/auth/confirm?token=${token}`);
  expect(again.status).toBe(410);
  expect(session(again)).toBeUndefined();
});

test("asking for the head alone uses nothing up", async () => {
  const { token } = await linked();
  expect((await open(`/auth/confirm?token=${token}`, { method: "HEAD" })).status).toBe(200);
  expect((await open(`/auth/confirm?token=${token}`)).status).toBe(302);
});

test("somebody who is signed in already stays who they are", async () => {
  const { token } = await linked();
  const cookie = await cookieOf((await addAccount(app)).userId);
  const response = await open(`/auth/confirm?token=${token}`, { cookie });
  expect(response.status).toBe(302);
  expect(session(response)).toBeUndefined();
});

test("a used link says that its address is confirmed already; another one does not", async () => {
  const { token } = await linked();
  await open(`/auth/confirm?token=${token}`);
  expect(await explained(token)).toEqual({ isConfirmed: true });
  expect(await explained("made-up")).toEqual({ isConfirmed: false });
});

test("whoever opens a used link signed in by it is led home", async () => {
  const { userId, token } = await linked();
  await open(`/auth/confirm?token=${token}`);
  const mine = await open(`/auth/confirm?token=${token}`, { cookie: await cookieOf(userId) });
  expect([mine.status, mine.headers.get("Location")]).toEqual([302, "/"]);
  const other = await cookieOf((await addAccount(app)).userId);
  expect((await open(`/auth/confirm?token=${token}`, { cookie: other })).status).toBe(410);
});

test("without a token: 400", async () => {
  expect((await open("/auth/confirm")).status).toBe(400);
});

test("signing out ends the session on the server and in the browser", async () => {
  const { userId } = await addAccount(app);
  const cookie = await cookieOf(userId);
  const response = await open("/sign-out", { method: "POST", cookie });
  expect(response.headers.get("Location")).toBe("/");
  expect(session(response)).toMatch(/^kickabout_session=;.*Max-Age=0/);
  const left = app.db.selectFrom("sessions").select("id").where("user_id", "=", userId);
  expect(await left.execute()).toEqual([]);
});

test("without the database the browser is signed out all the same", async () => {
  const { userId } = await addAccount(app);
  const cookie = await cookieOf(userId);
  const closeSession = () => Promise.reject(new Error("no database"));
  const as = { ...app, accounts: { ...app.accounts, closeSession } };
  const response = await open("/sign-out", { method: "POST", cookie, as });
  expect(response.status).toBe(302);
  expect(session(response)).toMatch(/^kickabout_session=;/);
});
