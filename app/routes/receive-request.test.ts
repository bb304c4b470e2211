import { beforeAll, expect, test, vi } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { signIn } from "#test/visit.ts";
import { addAccount } from "#test/accounts.ts";
import type { Viewer } from "#app/features/accounts/sessions.server.ts";
import type { App } from "./context.server.ts";
import { getViewer, sessionMiddleware } from "./guards.server.ts";
import { type Received, receiveRequest } from "./receive-request.server.ts";

const database = useDatabase();
let app: App;
beforeAll(() => {
  app = testApp(database);
});

async function anAdmin() {
  const { userId } = await addAccount(app);
  await app.db.insertInto("user_roles").values({ user_id: userId, role: "admin" }).execute();
  return { userId, cookie: await signIn(app, userId) };
}

/** Asks who it is for the routes, where something happens while the body comes in. */
async function askedAfter(cookie: string, happens: () => Promise<unknown>, as = app) {
  const { request, finish, isRead } = slowUpload(cookie);
  const received = receiveRequest(as, request, "192.0.2.1");
  await vi.waitFor(() => expect(isRead()).toBe(true));
  await happens();
  finish();
  const { context, request: whole } = (await received) as Received;
  const args = { request: whole, context, url: new URL(whole.url), pattern: "", params: {} };
  let viewer: Viewer | null = null;
  const response = (await sessionMiddleware(args, async () => {
    viewer = await getViewer(context);
    return new Response();
  })) as Response;
  const { byteLength } = await whole.arrayBuffer();
  return { viewer, byteLength, setCookie: response.headers.get("Set-Cookie") };
}

test("a role that ends while the body comes in is gone when it is there", async () => {
  const { userId, cookie } = await anAdmin();
  const roles = app.db.deleteFrom("user_roles").where("user_id", "=", userId);
  const asked = await askedAfter(cookie, () => roles.execute());
  expect(asked).toMatchObject({ byteLength: 100_000, viewer: { userId, isAdmin: false } });
});

test("a session that ends while the body comes in is gone when it is there", async () => {
  const { userId, cookie } = await anAdmin();
  const sessions = app.db.deleteFrom("sessions").where("user_id", "=", userId);
  expect((await askedAfter(cookie, () => sessions.execute())).viewer).toBeNull();
});

test("a session that is due is renewed once the body is there, with its cookie", async () => {
  const { cookie } = await anAdmin();
  const later = { ...app, now: () => new Date(Date.now() + 11 * 60 * 60 * 1_000) };
  const asked = await askedAfter(cookie, async () => {}, later);
  expect(asked.setCookie).toContain(cookie.split("=")[0]);
});

/** Most of a logo for a partner, and the rest when the test says so. */
function slowUpload(cookie: string) {
  let finish = () => {};
  let asked = 0;
  const pull = (controller: ReadableStreamDefaultController) => {
    asked += 1;
    if (asked === 1) return controller.enqueue(new Uint8Array(100_000));
    return new Promise<void>((resolve) => {
      finish = () => {
        controller.close();
        resolve();
      };
    });
  };
  const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
  const headers = { Cookie: cookie, "Content-Type": "multipart/form-data; boundary=x" };
  const init = { method: "POST", headers, body, duplex: "half" };
  const request = new Request("http://kickabout.test/admin/partners/x", init as RequestInit);
  return { request, finish: () => finish(), isRead: () => asked > 1 };
}
