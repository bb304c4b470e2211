import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase, watchQueries } from "#test/db.ts";
import { ada, aGame, aVenue, hoursLater, NOW, somePlayers } from "#test/fixtures.ts";
import { signIn, visit } from "#test/visit.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { loader } from "./list.tsx";

type List = Awaited<ReturnType<typeof loader>>;

const database = useDatabase();
let app: App;
let cookie: string;
let playerId: string;
let venues: Record<"Helsinki" | "Espoo" | "Vantaa", string>;
beforeAll(async () => {
  app = testApp(database, () => NOW);
  playerId = await ada(app.db);
  cookie = await signIn(app, playerId);
  const [Helsinki, Espoo, Vantaa] = await Promise.all([
    aVenue(app.db, { city: "Helsinki", name: "Cage", photo_urls: ["/a.webp", "/b.webp"] }),
    aVenue(app.db, { city: "Espoo", name: "Hall" }),
    aVenue(app.db, { city: "Vantaa", name: "Arena" }),
  ]);
  venues = { Helsinki: Helsinki!, Espoo: Espoo!, Vantaa: Vantaa! };
});

async function list(query = "", as = app): Promise<List> {
  const visited = await visit(as, loader, { path: `/events${query}`, cookie });
  expect(visited.status).toBe(200);
  return visited.data as List;
}
const ids = ({ days }: List) => days.flatMap(({ games }) => games.map(({ id }) => id));

// spec: 2.4, 6.4
test("a visitor is sent to the front page", async () => {
  const { status, headers } = await visit(app, loader, { path: "/events?city=Espoo" });
  expect([status, headers.get("Location")]).toEqual([302, "/"]);
});

test("nothing to play is no error", async () => {
  expect(await list()).toMatchObject({ firstName: "Ada", days: [] });
});

describe("with games", () => {
  const games: Record<string, string> = {};
  beforeAll(async () => {
    const add = async (name: string, wish: Parameters<typeof aGame>[1]) => {
      games[name] = await aGame(app.db, wish);
    };
    await add("late", { startsIn: 60, venue_id: venues.Vantaa, is_outdoor: true });
    await add("soon", { startsIn: 5, venue_id: venues.Helsinki, is_outdoor: true, spots: 2 });
    await add("free", { startsIn: 29, venue_id: venues.Espoo, is_first_session_free: true });
    await add("sameDay", { startsIn: 3, venue_id: venues.Espoo });
    await add("running", { startsIn: -1, venue_id: venues.Espoo });
    await add("over", { startsIn: -2, venue_id: venues.Espoo });
    await add("draft", { startsIn: 5, status: "Draft" });
    await add("cancelled", { startsIn: 5, status: "Cancelled" });
    await add("completed", { startsIn: 5, status: "Completed" });
    const [other] = await somePlayers(app.db, 1, 10);
    await joinGame(app.db, app.jobs, { gameId: games.soon!, playerId: other!, now: NOW });
  });
  const named = (list: List) =>
    ids(list).map((id) => Object.keys(games).find((name) => games[name] === id));

  // spec: 1.6, 2.21, 2.47, 4.11, 7.14, 7.15
  test("those that are not over, by day and kick-off", async () => {
    const { days } = await list();
    expect(named(await list())).toEqual(["running", "sameDay", "soon", "free", "late"]);
    expect(days.map(({ weekday, monthDay, near }) => [weekday, monthDay, near])).toEqual([
      ["SATURDAY", "Nov 21", "Today"],
      ["SUNDAY", "Nov 22", "Tomorrow"],
      ["TUESDAY", "Nov 24", null],
    ]);
    expect(days[0]?.games[2]).toEqual({
      id: games.soon,
      start: "17:00",
      end: "18:30",
      venueName: "Cage",
      city: "Helsinki",
      photoUrl: "/a.webp",
      isIn: false,
      price: "10 credits",
      spots: 1,
    });
  });

  test.each([
    ["?outdoor=1", ["soon", "late"]],
    ["?indoor=1", ["running", "sameDay", "free"]],
    ["?indoor=1&outdoor=1", ["running", "sameDay", "soon", "free", "late"]],
    ["?city=Espoo", ["running", "sameDay", "free"]],
    ["?city=Helsinki&city=Vantaa", ["soon", "late"]],
    ["?city=Helsinki,Vantaa&outdoor=1", ["soon", "late"]],
    ["?city=Helsinki&indoor=1", []],
    ["?city=all", ["running", "sameDay", "soon", "free", "late"]],
    ["?nonsense=%00&page=-1", ["running", "sameDay", "soon", "free", "late"]],
  ])("%s", async (query, expected) => {
    expect(named(await list(query))).toEqual(expected);
  });

  test("a free first session is free until it has been used", async () => {
    const card = async () =>
      (await list()).days.flatMap((day) => day.games).find(({ id }) => id === games.free);
    expect(await card()).toMatchObject({ price: "Free", isIn: false });
    await joinGame(app.db, app.jobs, { gameId: games.free!, playerId, now: NOW });
    expect(await card()).toMatchObject({ price: "10 credits", isIn: true });
    const cancelled = app.db.updateTable("bookings").set({ payment_status: "Cancelled" });
    await cancelled.where("user_id", "=", playerId).execute();
    expect(await card()).toMatchObject({ isIn: false });
  });

  // spec: 2.52, 9.4
  test("a card tells what a seat costs in credits, whatever the game's euros", async () => {
    const dear = await aGame(app.db, { startsIn: 7, price_eur: "25.00" });
    const card = (await list()).days.flatMap((day) => day.games).find(({ id }) => id === dear);
    expect(card?.price).toBe("10 credits");
    await app.db.deleteFrom("games").where("id", "=", dear).execute();
  });

  // spec: 7.14, 9.27
  test("'today' is the UTC date: a game of yesterday that is still on goes at 2:00", async () => {
    const late = await aGame(app.db, { startsIn: 11, end_time: "03:00" });
    const at = (hours: number) => ({ ...app, now: () => hoursLater(hours) });
    expect(ids(await list("", at(13.99)))).toContain(late);
    expect(ids(await list("", at(14)))).not.toContain(late);
  });
});

// spec: 7.30
test("thirty games take as many queries as two", async () => {
  let queries = 0;
  const counting = watchQueries(app.db, () => (queries += 1));
  const count = async (startsIn: number) => {
    queries = 0;
    const days = await list("", { ...app, db: counting, now: () => hoursLater(startsIn) });
    return { games: ids(days).length, queries };
  };
  for (let n = 0; n < 2; n += 1) await aGame(app.db, { startsIn: 500 + n });
  // The first visit after so long renews the session, which is a query of its own.
  await count(400);
  const few = await count(400);
  for (let n = 0; n < 28; n += 1) await aGame(app.db, { startsIn: 503 + n });
  const many = await count(400);
  expect([few.games, many.games]).toEqual([2, 30]);
  expect(many.queries).toBe(few.queries);
  expect(many.queries).toBeLessThanOrEqual(4);
});
