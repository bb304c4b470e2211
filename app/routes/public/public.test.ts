import { beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, aVenue, NOW } from "#test/fixtures.ts";
import { signIn, visit } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import type { App } from "#app/routes/context.server.ts";
import { loader as landing } from "./landing.tsx";
import { loader as outbox } from "./outbox.tsx";
import { loader as redirects } from "./redirects.ts";

const database = useDatabase();
let app: App;
beforeAll(() => {
  app = testApp(database, () => NOW);
});

/** The text of a page that answers with a response of its own. */
async function read(path: string) {
  const response = await (await openSite(app))(path);
  return { type: response.headers.get("Content-Type"), text: await response.text() };
}

// spec: 2.1, 2.2, 6.1
test("the front page sends players to the games", async () => {
  expect((await visit(app, landing, { path: "/" })).status).toBe(200);
  const cookie = await signIn(app, await ada(app.db));
  const { status, headers } = await visit(app, landing, { path: "/", cookie });
  expect([status, headers.get("Location")]).toEqual([302, "/events"]);
});

test("password managers are sent to the form", async () => {
  const { status, headers } = await visit(app, redirects, {
    path: "/.well-known/change-password",
  });
  expect([status, headers.get("Location")]).toEqual([302, "/settings/change-password"]);
});

// spec: 2.14
test.each([
  ["1", "/events/1"],
  ["a%20b", "/events/a%20b"],
  ["%2Fevil.example", "/events/%2Fevil.example"],
])("/games/%s leads to %s for good", async (gameId, location) => {
  const site = await openSite(app);
  const { status, headers } = await site(`/games/${gameId}`);
  expect([status, headers.get("Location")]).toEqual([301, location]);
});

test("the sitemap names what a visitor may see, and nothing else", async () => {
  const venue_id = await aVenue(app.db);
  const open = await aGame(app.db, { venue_id });
  const hidden = [
    await aGame(app.db, { status: "Draft" }),
    await aGame(app.db, { status: "Cancelled" }),
    await aGame(app.db, { startsIn: -5 }),
  ];
  const { type, text } = await read("/sitemap.xml");
  expect(type).toBe("application/xml; charset=utf-8");
  expect(text).toContain(`<loc>http://kickabout.test/events/${open}</loc>`);
  for (const path of ["", `/${venue_id}`]) {
    expect(text).toContain(`<loc>http://kickabout.test/venues${path}</loc>`);
  }
  for (const gameId of hidden) expect(text).not.toContain(gameId);
});

test("robots stay out of what is private", async () => {
  const { type, text } = await read("/robots.txt");
  expect(type).toBe("text/plain; charset=utf-8");
  for (const path of ["/admin", "/bookings", "/profile"]) {
    expect(text).toContain(`Disallow: ${path}\n`);
  }
  expect(text).toContain("Sitemap: http://kickabout.test/sitemap.xml");
});

test("security.txt names a contact and a day to come", async () => {
  const { text } = await read("/.well-known/security.txt");
  const expires = /^Expires: (.+)$/m.exec(text)?.[1] ?? "";
  expect(text).toMatch(/^Contact: mailto:/m);
  expect(Date.parse(expires)).toBeGreaterThan(NOW.getTime());
});

test("the manifest is JSON with the brand's name", async () => {
  const { type, text } = await read("/manifest.webmanifest");
  expect(type).toBe("application/manifest+json");
  expect(JSON.parse(text)).toMatchObject({ name: app.env.brandName, start_url: "/events" });
});

test("the outbox is there in the demo alone", async () => {
  expect((await visit(app, outbox, { path: "/demo/outbox" })).status).toBe(200);
  const live = { ...app, env: { ...app.env, demo: false } };
  expect((await visit(live, outbox, { path: "/demo/outbox" })).status).toBe(404);
});
