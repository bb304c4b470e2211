import { beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { anAdmin } from "#test/admin.ts";
import { signIn } from "#test/visit.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { aPlayer, NOW } from "#test/fixtures.ts";
import type { App } from "./context.server.ts";

const database = useDatabase();
let app: App;
let site: AskSite;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  site = await openSite(app);
});
const kept = async (path: string, cookie = "") =>
  (await site(path, { cookie })).headers.get("Cache-Control");

test.each(["/events", "/wallet", "/profile", "/bookings", "/settings", "/settings/sessions"])(
  "%s of a player is kept nowhere, nor its data",
  async (path) => {
    const cookie = await signIn(app, await aPlayer(app.db));
    expect(await kept(path, cookie)).toContain("no-store");
    expect(await kept(`${path}.data`, cookie)).toContain("no-store");
  },
);

test("data that a link fetches ahead waits until it is used, a whole page does not", async () => {
  const cookie = await signIn(app, await aPlayer(app.db));
  const headers = { "Sec-Purpose": "prefetch" };
  const ahead = async (path: string) =>
    (await site(path, { cookie, headers })).headers.get("Cache-Control");
  expect(await ahead("/events.data")).toBe("private, no-cache");
  expect(await ahead("/wallet")).toContain("no-store");
});

test("an admin's pages are kept nowhere", async () => {
  const { cookie } = await anAdmin(app);
  for (const path of ["/admin", "/admin/players", "/admin/players.data", "/admin/nothing"]) {
    expect(await kept(path, cookie), path).toContain("no-store");
  }
});

test("what a visitor sees may be kept, the account forms may not", async () => {
  expect(await kept("/venues")).toBe("private, no-cache");
  expect(await kept("/bookings")).toBe("private, no-cache");
  for (const path of ["/auth", "/auth/forgot", "/auth/reset?token=x", "/auth/confirm?token=x"]) {
    expect(await kept(path), path).toContain("no-store");
  }
});
