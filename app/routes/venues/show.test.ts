import { beforeAll, expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { aGame, aVenue, ben, NOW } from "#test/fixtures.ts";
import { signIn, visit } from "#test/visit.ts";
import type { NewVenue } from "#app/platform/schema.ts";
import type { App } from "#app/routes/context.server.ts";
import { loader, meta } from "./show.tsx";
import type { VenueView } from "./venue-view.ts";

const database = useDatabase();
let app: App;
beforeAll(() => {
  app = testApp(database, () => NOW);
});

const show = (venueId: string) => visit(app, loader, { path: `/venues/${venueId}` });

async function pageOf(venue: Partial<NewVenue>) {
  const id = await aVenue(app.db, venue);
  const { status, data } = await show(id);
  expect(status).toBe(200);
  return (data as { venue: VenueView }).venue;
}

/** The page's tags, by their name or property. */
function headOf(venue: VenueView | null): Record<string, unknown> {
  const root = { loaderData: { site: { brandName: "Kickabout", appUrl: app.env.appUrl } } };
  const args = { loaderData: { venue }, matches: [root] } as unknown as Parameters<typeof meta>[0];
  const tags = (meta(args) ?? []).map((tag) => {
    const { title, name, property, rel, content, href } = tag as Record<string, string>;
    const key = title ? "title" : (name ?? property ?? rel ?? "script");
    return [key, title ?? content ?? href ?? (tag as Record<string, unknown>)["script:ld+json"]];
  });
  return Object.fromEntries(tags) as Record<string, unknown>;
}

// spec: 2.23, 2.100, 3.16, 4.12, 7.25, 7.27, 9.24
test("where it is, what it is like, and its next five games", async () => {
  const { id, ...page } = await pageOf({
    name: "Töölö Cage",
    city: "Helsinki",
    address: "Mannerheimintie 52",
    description: "Small.\nLoud.",
    maps_url: "https://maps.example/?q=T",
    website: "https://cage.example/book",
    photo_urls: ["/photos/toolo-cage-1-800.webp", "/files/cage-2.webp", "https://a.example/3.jpg"],
    photo_alts: ["The cage"],
  });
  expect(page).toMatchObject({
    name: "Töölö Cage",
    place: "Mannerheimintie 52, Helsinki",
    description: "Small.\nLoud.",
    mapsUrl: "https://maps.example/?q=T",
    website: { url: "https://cage.example/book", host: "cage.example" },
    photos: [
      { alt: "The cage", large: "/photos/toolo-cage-1-1280.webp" },
      { alt: "Töölö Cage, photo 2", large: "/files/cage-2.webp" },
    ],
    games: [],
  });
  const hours = [100, 3, 80, 60, 40, 20, -5];
  const ids: string[] = [];
  for (const startsIn of hours) ids.push(await aGame(app.db, { startsIn, venue_id: id }));
  await aGame(app.db, { startsIn: 4, venue_id: id, status: "Draft" });
  const { data } = await show(id);
  const { games } = (data as { venue: VenueView }).venue;
  expect(games.map((game) => game.id)).toEqual([1, 5, 4, 3, 2].map((place) => ids[place]));
  expect(games[0]).toMatchObject({
    monthDay: "Nov 21",
    start: "15:00",
    price: "10 credits (10.00\u00a0€)",
    spots: 10,
  });
});

test("what is no web address is no link", async () => {
  const page = await pageOf({ maps_url: "javascript:alert(1)", website: "data:text/html,x" });
  expect([page.mapsUrl, page.website]).toEqual([null, null]);
  expect(JSON.stringify(page.structuredData)).not.toMatch(/javascript:|data:/);
});

// spec: 7.25
test.each([["00000000-0000-4000-8000-000000000000"], ["none"], ["😀"], ["' or true --"]])(
  "%s answers 404 with its page",
  async (venueId) => {
    const { status, data } = await show(venueId);
    expect([status, data]).toEqual([404, { venue: null }]);
  },
);

// spec: 2.103
test("the head: the first 120 characters, whole ones, and the place for search engines", async () => {
  const text = "é😀".repeat(100);
  const page = await pageOf({
    name: "Hall",
    description: text,
    photo_urls: ["/photos/a-1-800.webp"],
  });
  const head = headOf(page);
  expect(head.title).toBe("Hall · Kickabout");
  expect(head.description).toBe("é😀".repeat(60));
  expect(head.canonical).toBe(`${app.env.appUrl}/venues/${page.id}`);
  expect(head.robots).toBeUndefined();
  expect(head.script).toMatchObject({
    "@type": "SportsActivityLocation",
    name: "Hall",
    url: `${app.env.appUrl}/venues/${page.id}`,
    image: [`${app.env.appUrl}/photos/a-1-800.webp`],
    address: { streetAddress: "Otakaari 1", addressLocality: "Espoo", addressCountry: "FI" },
  });
});

test("a venue without a description has one in its head", async () => {
  expect(headOf(await pageOf({ name: "Hall" })).description).toBe("Pick-up games at Hall, Espoo.");
  expect(headOf(null)).toMatchObject({ title: "Venue not found · Kickabout", robots: "noindex" });
});

test("a hidden venue is there for admins only, and for no search engine", async () => {
  const venueId = await aVenue(app.db, { is_hidden: true });
  const at = { path: `/venues/${venueId}` };
  const player = await signIn(app, await ben(app.db));
  for (const cookie of ["", player]) {
    const { status, data } = await visit(app, loader, { ...at, cookie });
    expect([status, data]).toEqual([404, { venue: null }]);
  }
  const { cookie } = await anAdmin(app);
  const { status, data } = await visit(app, loader, { ...at, cookie });
  const { venue } = data as { venue: VenueView };
  expect([status, venue.isHidden]).toEqual([200, true]);
  expect(headOf(venue).robots).toBe("noindex");
});
