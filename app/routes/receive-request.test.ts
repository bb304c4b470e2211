import { expect, test, vi } from "vitest";
import { testApp } from "../../test/app.ts";
import { useDatabase } from "../../test/db.ts";
import { signIn } from "../../test/visit.ts";
import { addAccount } from "../features/accounts/account-fixture.ts";
import { findAccount } from "./guards.server.ts";
import { type Received, receiveRequest } from "./receive-request.server.ts";

const database = useDatabase();

test("a role or a session that ends while the body comes in is gone when it is there", async () => {
  const app = testApp(database);
  const { userId } = await addAccount(app);
  await app.db.insertInto("user_roles").values({ user_id: userId, role: "admin" }).execute();
  const { request, finish, isRead } = slowUpload(await signIn(app, userId));
  const received = receiveRequest(app, request, "192.0.2.1");
  await vi.waitFor(() => expect(isRead()).toBe(true));
  await app.db.deleteFrom("user_roles").where("user_id", "=", userId).execute();
  finish();
  const { context, request: whole } = (await received) as Received;
  expect((await whole.arrayBuffer()).byteLength).toBe(100_000);
  expect(await findAccount(context, whole, "player")).toBe(userId);
  expect(await findAccount(context, whole, "admin")).toBeNull();
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
