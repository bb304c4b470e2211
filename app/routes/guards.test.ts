import type { MiddlewareFunction, RouterContextProvider } from "react-router";
import { beforeAll, describe, expect, test } from "vitest";
import { requestContext, testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { addAccount } from "#test/accounts.ts";
import type { App } from "./context.server.ts";
import { takeToast } from "#app/forms/toast.server.ts";
import {
  getViewer,
  findAccountId,
  redirectIfSignedIn,
  requireAdmin,
  playersOnly,
  sessionMiddleware,
  signedInOnly,
  viewerContext,
} from "./guards.server.ts";
import { signInCookie, signOutCookie } from "./cookies.server.ts";

const database = useDatabase();
const DAY = 24 * 60 * 60 * 1_000;
let app: App;
beforeAll(() => {
  app = testApp(database);
});

async function signedIn() {
  const account = await addAccount(app);
  const session = await app.accounts.openSession(account.userId);
  const [cookie = ""] = (await signInCookie(app.env, session)).split(";");
  return { ...account, cookie };
}

type Page = (context: RouterContextProvider, request: Request) => Promise<unknown>;

/** Runs a page behind the middleware; what a guard throws is the response. */
async function visit(page: Page, { cookie = "", path = "/events", as = app, method = "GET" } = {}) {
  const headers = { Cookie: cookie };
  const request = new Request(`http://kickabout.test${path}`, { method, headers });
  const context = requestContext(as);
  const args = { request, context, url: new URL(request.url), pattern: path, params: {} };
  let outcome: unknown;
  const response = await sessionMiddleware(args, async () => {
    outcome = await page(context, request).catch((thrown: unknown) => thrown);
    return outcome instanceof Response ? outcome : new Response();
  });
  return { outcome, response: response as Response };
}

// spec: 4.1, 6.14
test("the viewer is the session cookie's user, or null", async () => {
  const { cookie, email } = await signedIn();
  expect((await visit(getViewer, { cookie })).outcome).toMatchObject({ email, balanceCents: 0 });
  expect((await visit(getViewer)).outcome).toBeNull();
  const [name = "", value = ""] = cookie.split(/=(.*)/s);
  const signed: string = JSON.parse(atob(decodeURIComponent(value)));
  const as = (text: string) => `${name}=${encodeURIComponent(btoa(JSON.stringify(text)))}`;
  const viewerOf = async (text: string) => (await visit(getViewer, { cookie: as(text) })).outcome;
  const [token = "", signature = ""] = signed.split(".");
  expect(await viewerOf(signed)).not.toBeNull();
  const other = signature.startsWith("A") ? "B" : "A";
  expect(await viewerOf(`${token}.${other}${signature.slice(1)}`)).toBeNull();
  expect(await viewerOf(`${token}.`)).toBeNull();
  expect(await viewerOf(token)).toBeNull();
});

test("a request asks the database for its session once, and only when somebody asks", async () => {
  const { cookie } = await signedIn();
  let queries = 0;
  const counting = app.db.withPlugin({
    transformQuery({ node }) {
      queries += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const as = { ...app, db: counting };
  await visit(async () => null, { cookie, as });
  expect(queries).toBe(0);
  await visit((context) => Promise.all([1, 2, 3].map(() => getViewer(context))), { cookie, as });
  expect(queries).toBe(1);
});

test("who sends a body is known before it is read", async () => {
  const { cookie, userId } = await signedIn();
  const sends = async (as: string) => {
    const request = new Request("http://kickabout.test/profile", { headers: { Cookie: as } });
    return [
      await findAccountId(app, request, "player"),
      await findAccountId(app, request, "admin"),
    ];
  };
  expect(await sends("")).toEqual([null, null]);
  expect(await sends(cookie)).toEqual([userId, null]);
  await app.db.insertInto("user_roles").values({ user_id: userId, role: "admin" }).execute();
  expect(await sends(cookie)).toEqual([userId, userId]);
  await app.db.deleteFrom("user_roles").where("user_id", "=", userId).execute();
});

// spec: 4.7
test("after a day the response carries the cookie again", async () => {
  const { cookie } = await signedIn();
  const fresh = await visit(getViewer, { cookie });
  expect(fresh.response.headers.getSetCookie()).toEqual([]);
  const as = { ...app, now: () => new Date(Date.now() + 2 * DAY) };
  const renewed = await visit(getViewer, { cookie, as });
  const [setCookie = ""] = renewed.response.headers.getSetCookie();
  expect(setCookie.split(";")[0]).toBe(cookie);
  const [, expires = ""] = /Expires=([^;]+)/.exec(setCookie) ?? [];
  expect(Math.round((Date.parse(expires) - Date.now()) / DAY)).toBe(32);
});

test("a renewal does not undo a sign-out of the same response", async () => {
  const { cookie } = await signedIn();
  const as = { ...app, now: () => new Date(Date.now() + 2 * DAY) };
  const signOut: Page = async (context) => {
    await getViewer(context);
    return new Response(null, { headers: { "Set-Cookie": await signOutCookie(app.env) } });
  };
  const { response } = await visit(signOut, { cookie, as });
  expect(response.headers.getSetCookie()).toEqual([await signOutCookie(app.env)]);
});

describe("guards", () => {
  const behind =
    (guard: MiddlewareFunction<Response>): Page =>
    async (context, request) => {
      const args = { context, request } as unknown as Parameters<typeof guard>[0];
      await guard(args, async () => new Response());
      return context.get(viewerContext);
    };
  const toFront = behind(playersOnly);
  const toAuth = behind(signedInOnly());

  test("a player passes", async () => {
    const { cookie, email } = await signedIn();
    expect((await visit(toFront, { cookie })).outcome).toMatchObject({ email });
    expect((await visit(toAuth, { cookie })).outcome).toMatchObject({ email });
  });

  // spec: 2.4, 2.110
  test.each([
    [toFront, "/profile?x=1", "/"],
    [toAuth, "/events/5?x=1", "/auth?redirectTo=%2Fevents%2F5%3Fx%3D1"],
    [toAuth, "/events/5/", "/auth?redirectTo=%2Fevents%2F5"],
    [toAuth, "/events/5/_.data?_routes=x", "/auth?redirectTo=%2Fevents%2F5"],
    [toAuth, "/_root.data", "/auth?redirectTo=%2F"],
    [toAuth, "//evil.example", "/auth"],
    [requireAdmin, "/admin/log", "/auth?redirectTo=%2Fadmin%2Flog"],
  ])("a visitor is sent away (%#)", async (guard, path, location) => {
    const { response } = await visit(guard, { path });
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe(location);
    expect(response.headers.getSetCookie()).toEqual([]);
    const sent = await visit(guard, { path, method: "POST" });
    expect(sent.response.headers.get("Location")).toBe(location);
    const Cookie = sent.response.headers.getSetCookie()[0] ?? "";
    const next = new Request("http://kickabout.test/", { headers: { Cookie } });
    expect((await takeToast(app.env, next)).toast).toMatchObject({
      title: "You are signed out",
      description: "Sign in and try again.",
    });
  });

  // spec: 4.1, 6.8
  test("an admin passes, a player is denied", async () => {
    const { cookie, userId } = await signedIn();
    expect((await visit(requireAdmin, { cookie })).outcome).toMatchObject({
      data: "Access Denied",
      init: { status: 403 },
    });
    await app.db.insertInto("user_roles").values({ user_id: userId, role: "admin" }).execute();
    expect((await visit(requireAdmin, { cookie })).outcome).toMatchObject({ isAdmin: true });
  });

  // spec: 8.11
  test("where the role cannot be read nobody is an admin", async () => {
    const { cookie, userId } = await signedIn();
    await app.db.insertInto("user_roles").values({ user_id: userId, role: "admin" }).execute();
    await database.pool.query("alter table user_roles rename to user_roles_away");
    const { outcome } = await visit(requireAdmin, { cookie });
    await database.pool.query("alter table user_roles_away rename to user_roles");
    expect(outcome).toBeInstanceOf(Error);
    expect((await visit(requireAdmin, { cookie })).outcome).toMatchObject({ isAdmin: true });
  });

  // spec: 2.34
  test("the pages of visitors send players to the games", async () => {
    const { cookie } = await signedIn();
    const visitorsOnly: Page = (context) => redirectIfSignedIn(context);
    const { response } = await visit(visitorsOnly, { cookie });
    expect(response.headers.get("Location")).toBe("/events");
    expect((await visit(visitorsOnly)).outcome).toBeUndefined();
  });
});

// spec: 6.13
test("the cookie is httpOnly, lax, and with https secure and bound to the host", async () => {
  const session = { token: "t", expiresAt: new Date() };
  const plain = await signInCookie(app.env, session);
  expect(plain).toMatch(/^kickabout_session=/);
  expect(plain).toMatch(/; Path=\/;.*HttpOnly; SameSite=Lax$/);
  const secure = await signInCookie({ ...app.env, appUrl: "https://kickabout.example" }, session);
  expect(secure).toMatch(/^__Host-kickabout_session=.*; Path=\/;.*; Secure/);
  expect(secure).not.toContain("Domain");
});
