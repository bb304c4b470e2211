import { sql } from "kysely";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { signIn } from "#test/visit.ts";
import { type AskSite, openSite } from "#test/whole-site.ts";
import { log } from "#app/platform/log.server.ts";
import { ada, aGame, aVenue, NOW } from "#test/fixtures.ts";

const database = useDatabase();
let ask: AskSite;
let cookie: string;
beforeAll(async () => {
  const app = testApp(database, () => NOW);
  cookie = await signIn(app, await ada(app.db));
  ask = await openSite(app);
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** What a player gets while a table cannot be read. */
async function openWithout(table: string, path: string): Promise<Response> {
  const [here, away] = [sql.table(table), sql.table(`${table}_away`)];
  await sql`alter table ${here} rename to ${away}`.execute(database.db);
  try {
    return await ask(path, { cookie });
  } finally {
    await sql`alter table ${away} rename to ${here}`.execute(database.db);
  }
}

// spec: 8.12, 8.21
test.each([
  ["games", () => "/events"],
  ["bookings", () => "/bookings"],
  ["wallet_transactions", () => "/wallet"],
  ["wallet_transactions", () => "/profile"],
  ["venues", () => "/venues"],
  ["games", async () => `/venues/${await aVenue(database.db)}`],
  ["bookings", async () => `/events/${await aGame(database.db)}`],
])("%s that cannot be read: the page says so and offers Try Again (%#)", async (table, address) => {
  const path = await address();
  const logged = vi.spyOn(log, "error").mockImplementation(() => {});
  const response = await openWithout(table, path);
  expect(response.status).toBe(500);
  expect(logged).toHaveBeenCalledOnce();
  const [, body = ""] = (await response.text()).split("<body");
  const html = body.replace(/<script[\s\S]*?<\/script>/g, "");
  expect(html).toMatch(/Something went wrong|Failed to load/);
  expect(html).toMatch(/>Try Again</);
  expect(html).not.toMatch(/relation|does not exist|_away| at [\w/.]+:\d+/);
  expect((await ask(path, { cookie })).status).toBe(200);
});
