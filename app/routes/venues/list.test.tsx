import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { beforeAll, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase, watchQueries } from "#test/db.ts";
import { aGame, aPlayer, aVenue, hoursLater, NOW, somePlayers } from "#test/fixtures.ts";
import { signIn, visit } from "#test/visit.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { cityPath } from "#app/features/venues/rules.ts";
import type { App } from "#app/routes/context.server.ts";
import { CityFilter } from "./city-filter.tsx";
import { ErrorBoundary, loader } from "./list.tsx";

type List = Awaited<ReturnType<typeof loader>>;

const database = useDatabase();
let app: App;
const venues: Record<string, string> = {};
const games: Record<string, string> = {};

beforeAll(async () => {
  app = testApp(database, () => NOW);
  const { db, jobs } = app;
  venues.Shore = await aVenue(db, { name: "Shore", city: "Helsinki", description: "Grass." });
  venues.Hall = await aVenue(db, { name: "Hall", photo_urls: ["/a.webp", "/b.webp"] });
  venues.Arena = await aVenue(db, { name: "Arena", city: "Vantaa" });
  const add = async (name: string, wish: Parameters<typeof aGame>[1]) => {
    games[name] = await aGame(db, { venue_id: venues.Hall!, ...wish });
  };
  await add("fourth", { startsIn: 90 });
  await add("third", { startsIn: 50, price_eur: "8.50" });
  await add("second", { startsIn: 29, is_first_session_free: true });
  await add("running", { startsIn: -1, spots: 2 });
  await add("over", { startsIn: -3 });
  await add("draft", { startsIn: 5, status: "Draft" });
  await add("cancelled", { startsIn: 5, status: "Cancelled" });
  await add("completed", { startsIn: 5, status: "Completed" });
  await add("elsewhere", { startsIn: 6, venue_id: venues.Arena });
  const [player] = await somePlayers(db, 1, 10);
  const early = hoursLater(-24);
  await joinGame(db, jobs, { gameId: games.running!, playerId: player!, now: early });
});

async function list(query = "", as = app, cookie?: string): Promise<List> {
  const visited = await visit(as, loader, { path: `/venues${query}`, cookie });
  expect(visited.status).toBe(200);
  return visited.data as List;
}
const names = (list: List) => list.venues.map(({ name }) => name);
const gamesAt = (list: List, venue: string) =>
  list.venues
    .find(({ name }) => name === venue)
    ?.games.map(({ id }) => Object.keys(games).find((name) => games[name] === id));

// spec: 2.23, 3.16, 4.12, 6.1, 7.23, 7.26, 9.6, 9.23
test("venues by name, each with its next three games", async () => {
  const page = await list();
  expect(names(page)).toEqual(["Arena", "Hall", "Shore"]);
  expect(page.cities).toEqual(["Espoo", "Helsinki", "Vantaa"]);
  expect(gamesAt(page, "Arena")).toEqual(["elsewhere"]);
  expect(gamesAt(page, "Hall")).toEqual(["running", "second", "third"]);
  expect(gamesAt(page, "Shore")).toEqual([]);
  expect(page.venues[1]).toMatchObject({ id: venues.Hall, city: "Espoo", photoUrl: "/a.webp" });
  const words = page.venues[1]?.games.map((game) => [
    game.title,
    game.monthDay,
    game.start,
    game.price,
    game.spots,
  ]);
  expect(words).toEqual([
    ["Indoor futsal", "Nov 21", "11:00", "10 credits (10.00\u00a0€)", 1],
    ["Indoor futsal", "Nov 22", "17:00", "FREE if it's your first session", 10],
    ["Indoor futsal", "Nov 23", "14:00", "8.50\u00a0€", 10],
  ]);
});

// spec: 9.6
test.each([
  ["with credits and the free session", 10, false, ["10.00\u00a0€", "FREE", "8.50\u00a0€"]],
  ["with credits alone", 10, true, ["10.00\u00a0€", "10.00\u00a0€", "8.50\u00a0€"]],
  [
    "without credits",
    9,
    true,
    [...Array<string>(2).fill("10 credits (10.00\u00a0€)"), "8.50\u00a0€"],
  ],
])("a player %s reads their own prices", async (_, credits, hasUsed, prices) => {
  const playerId = await aPlayer(app.db, { credits });
  const profile = app.db.updateTable("profiles").set({ had_free_session: hasUsed });
  await profile.where("user_id", "=", playerId).execute();
  const page = await list("", app, await signIn(app, playerId));
  expect(page.venues[1]?.games.map(({ price }) => price)).toEqual(prices);
});

test.each([
  ["?city=Espoo", ["Hall"], ["Espoo"], "No venues found in Espoo."],
  [
    "?city=Vantaa,Espoo",
    ["Arena", "Hall"],
    ["Vantaa", "Espoo"],
    "No venues found in Vantaa and Espoo.",
  ],
  ["?city=Turku", [], ["Turku"], "No venues found in Turku."],
  ["?city=Turku,Oulu", [], ["Turku", "Oulu"], "No venues found in Turku and Oulu."],
  ["?city=Turku,Espoo", ["Hall"], ["Turku", "Espoo"], "No venues found in Turku and Espoo."],
  ["?city=%00", ["Arena", "Hall", "Shore"], [], "No venues found."],
  ["?city=Tur%00ku", [], ["Tur ku"], "No venues found in Tur ku."],
  ["?city=%27%3B--", [], ["';--"], "No venues found in ';--."],
  ["?page=-1", ["Arena", "Hall", "Shore"], [], "No venues found."],
])("%s", async (query, found, chosen, emptyText) => {
  const page = await list(query);
  expect(names(page)).toEqual(found);
  expect(page.chosen).toEqual(chosen);
  expect(page.emptyText).toBe(emptyText);
});

// spec: 2.95
test("boxes that a form repeats become one list in the address", async () => {
  const path = "/venues?city=Espoo&city=Vantaa";
  const { status, headers } = await visit(app, loader, { path });
  expect([status, headers.get("Location")]).toEqual([302, "/venues?city=Espoo,Vantaa"]);
  expect(cityPath(["Ii, or & so"])).toBe("/venues?city=Ii%2C%20or%20%26%20so");
  expect(cityPath([])).toBe("/venues");
});

// spec: 7.26
test("'today' is the UTC date: a game of yesterday that is still on goes at 2:00", async () => {
  const venue_id = await aVenue(app.db, { name: "Night", city: "Kauniainen" });
  games.late = await aGame(app.db, { startsIn: 11, end_time: "03:00", venue_id });
  const at = (hours: number) => list("", { ...app, now: () => hoursLater(hours) });
  expect(gamesAt(await at(13.5), "Night")).toEqual(["late"]);
  expect(gamesAt(await at(14.5), "Night")).toEqual([]);
});

test("thirty venues with games take as many queries as a few", async () => {
  let queries = 0;
  const counting = watchQueries(app.db, () => (queries += 1));
  const count = async () => {
    queries = 0;
    await list("", { ...app, db: counting });
    return queries;
  };
  const few = await count();
  for (let n = 0; n < 30; n += 1) await aGame(app.db);
  expect(few).toBe(2);
  expect(await count()).toBe(few);
});

test("before JavaScript the filter is a form that keeps a city that is not known", () => {
  const html = render(() => (
    <CityFilter cities={["Espoo", "Vantaa"]} chosen={["Turku", "Espoo"]} />
  ));
  expect(html).toMatch(/<form(?=[^>]* method="get")[^>]* action="\/venues"/);
  const boxes = [...html.matchAll(/<input[^>]*>/g)].map(([box]) => box);
  const valueOf = (box: string) => /value="([^"]*)"/.exec(box)?.[1];
  expect(boxes.map(valueOf)).toEqual(["Espoo", "Vantaa", "Turku"]);
  expect(boxes.filter((box) => box.includes("checked")).map(valueOf)).toEqual(["Espoo", "Turku"]);
});

// spec: 8.21
test("a failed load shows an error, and trying again is a link to the same address", () => {
  const html = render(ErrorBoundary);
  expect(html).toContain("Failed to load venues");
  expect(html).toMatch(/<a[^>]*href="\/venues\?city=Espoo"[^>]*>Try Again<\/a>/);
});

function render(Component: () => React.ReactNode): string {
  const Stub = createRoutesStub([{ path: "/venues", Component }]);
  return renderToStaticMarkup(<Stub initialEntries={["/venues?city=Espoo"]} />);
}
