import { expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase, watchQueries } from "#test/db.ts";
import { ada, aGame } from "#test/fixtures.ts";
import { signIn } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";

const database = useDatabase();

async function open() {
  const app = testApp(database);
  let shared = 0;
  const db = watchQueries(database.db, () => (shared += 1));
  const replica = { read: <T>(ask: (from: typeof db) => Promise<T>) => ask(db) };
  const site = await openSite({ ...app, replica: replica as never });
  return { app, site, count: () => shared };
}

test.each(["/events", "/venues", "/admin"])("%s is read from the replica", async (path) => {
  const { app, site, count } = await open();
  const userId = await ada(app.db);
  await app.db.insertInto("user_roles").values({ user_id: userId, role: "admin" }).execute();
  const cookie = await signIn(app, userId);
  expect((await site(path, { cookie })).status).toBe(200);
  expect(count()).toBeGreaterThan(0);
});

test("who has just sent a form reads from the primary", async () => {
  const { app, site, count } = await open();
  const cookie = await signIn(app, await ada(app.db));
  const gameId = await aGame(app.db);
  const body = new URLSearchParams({ intent: "wait", formKey: crypto.randomUUID() });
  const sent = await site(`/events/${gameId}`, { method: "POST", body, cookie });
  const acted = sent.headers.getSetCookie().find((line) => line.includes("kickabout_acted="));
  expect(acted).toContain("Max-Age=10");
  const before = count();
  await site("/events", { cookie: `${cookie}; ${acted!.split(";")[0]}` });
  await site("/venues", { cookie: acted!.split(";")[0]! });
  expect(count()).toBe(before);
});

test("without a replica no cookie remembers it", async () => {
  const app = testApp(database);
  const site = await openSite(app);
  const sent = await site("/auth/forgot", { method: "POST", body: new URLSearchParams() });
  expect(sent.headers.getSetCookie().join()).not.toContain("acted");
});
