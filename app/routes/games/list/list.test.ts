import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "#test/app.ts";
import { useDatabase, watchQueries } from "#test/db.ts";
import {
  ada,
  aGame,
  aPlayer,
  aVenue,
  hoursLater,
  markDeleted,
  NOW,
  somePlayers,
} from "#test/fixtures.ts";
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
/** List of a player who signs in at the time that the app's clock shows. */
async function listOf(who: string, as: App, query = ""): Promise<List> {
  const at = { path: `/events${query}`, cookie: await signIn(as, who) };
  return (await visit(as, loader, at)).data as List;
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
    const soon = { startsIn: 5, venue_id: venues.Helsinki, spots: 2 };
    await add("soon", { ...soon, is_outdoor: true, level: "Relaxed" });
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
      viewerIs: null,
      unread: null,
      id: games.soon,
      start: "17:00",
      end: "18:30",
      venueName: "Cage",
      city: "Helsinki",
      facts: "Outdoor · 5v5 · Relaxed",
      minimum: null,
      photoUrl: "/a.webp",
      credits: "10 credits",
      free: null,
      spots: 1,
      joined: 1,
      planVersion: "1.1",
      players: "1 player",
      faces: ["C"],
      isFolded: false,
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
    ["?time=Morning", ["running", "late"]],
    ["?time=Afternoon", ["sameDay"]],
    ["?time=Evening&time=Afternoon", ["sameDay", "soon", "free"]],
    ["?time=Evening&city=Espoo", ["free"]],
    ["?time=Evening&city=Vantaa", []],
    ["?level=Relaxed&level=Competitive", ["soon"]],
    ["?level=All+levels", []],
    ["?nonsense=%00&page=-1", ["running", "sameDay", "soon", "free", "late"]],
  ])("%s", async (query, expected) => {
    expect(named(await list(query))).toEqual(expected);
  });

  test("a free first session is free until it has been used", async () => {
    const card = async () =>
      (await list()).days.flatMap((day) => day.games).find(({ id }) => id === games.free);
    const credits = "10 credits";
    expect(await card()).toMatchObject({ credits, free: "Free for you", viewerIs: null });
    await joinGame(app.db, app.jobs, { gameId: games.free!, playerId, now: NOW });
    expect(await card()).toMatchObject({ credits, free: "Free", viewerIs: "in" });
    const cancelled = app.db.updateTable("bookings").set({ payment_status: "Cancelled" });
    await cancelled.where("user_id", "=", playerId).execute();
    expect(await card()).toMatchObject({ free: null, viewerIs: null });
  });

  // spec: 2.52, 9.4
  test("a card says what a seat costs in credits, whatever the game's euros", async () => {
    const dear = await aGame(app.db, { startsIn: 7, price_eur: "25.00" });
    const card = (await list()).days.flatMap((day) => day.games).find(({ id }) => id === dear);
    expect(card?.credits).toBe("10 credits");
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
  expect(many.queries).toBe(5);
});

describe("the faces on a card", () => {
  const facesOf = async (gameId: string) => {
    const game = (await list()).days.flatMap(({ games }) => games).find(({ id }) => id === gameId);
    return { players: game?.players, faces: game?.faces };
  };
  const book = async (gameId: string, name: string, minute: number, more: object = {}) => {
    const user_id = await aPlayer(app.db, { name });
    const created_at = new Date(NOW.getTime() + minute * 60_000);
    const booking = { game_id: gameId, user_id, payment_status: "Paid" as const, created_at };
    await app.db
      .insertInto("bookings")
      .values({ ...booking, ...more })
      .execute();
    return user_id;
  };

  test("are the first four that joined, and the number is that of all", async () => {
    const gameId = await aGame(app.db, { startsIn: 200 });
    expect(await facesOf(gameId)).toEqual({ players: "", faces: [] });
    const second = await book(gameId, "Bo", 2);
    await book(gameId, "Ann", 1);
    expect(await facesOf(gameId)).toEqual({ players: "2 players", faces: ["A", "B"] });
    const picture = { profile_picture_url: "/files/avatars/b-512.webp" };
    await app.db.updateTable("profiles").set(picture).where("user_id", "=", second).execute();
    for (const [n, name] of ["Cy", "Di", "Ed"].entries()) await book(gameId, name, 3 + n);
    const faces = ["A", "/files/avatars/b-128.webp", "C", "D"];
    expect(await facesOf(gameId)).toEqual({ players: "5 players", faces });
  });

  test("are of live bookings, and of no deleted player", async () => {
    const gameId = await aGame(app.db, { startsIn: 201 });
    await book(gameId, "Ann", 1, { payment_status: "Refunded" });
    await book(gameId, "Bo", 2, { payment_status: "Cancelled" });
    await book(gameId, "Cy", 3, { payment_status: "Unpaid" });
    const deleted = await book(gameId, "Di", 4);
    await markDeleted(app.db, deleted);
    expect((await facesOf(gameId)).faces).toEqual(["C"]);
  });
});

test("a full game folds, but not one that the viewer is in", async () => {
  const [others, own] = [0, 1].map((n) => aGame(app.db, { startsIn: 210 + n, spots: 1 }));
  const ids = [await others!, await own!];
  const [other] = await somePlayers(app.db, 1, 10);
  await joinGame(app.db, app.jobs, { gameId: ids[0]!, playerId: other!, now: NOW });
  await joinGame(app.db, app.jobs, { gameId: ids[1]!, playerId, now: NOW });
  const cards = (await list()).days.flatMap(({ games }) => games);
  expect(ids.map((id) => cards.find((card) => card.id === id))).toMatchObject([
    { isFolded: true, spots: 0, faces: [], credits: "10 credits", start: "06:00" },
    { isFolded: false, spots: 0, viewerIs: "in", faces: ["A"] },
  ]);
});

test("the two weeks from today are listed, with the days that have games", async () => {
  const now = () => hoursLater(1_000);
  for (const startsIn of [1_001, 1_024, 1_000 + 14 * 24]) await aGame(app.db, { startsIn });
  const { strip, days } = await listOf(playerId, { ...app, now });
  expect(strip).toHaveLength(14);
  expect(strip.slice(0, 3)).toEqual([
    { text: "Today\n2", date: "2027-01-02" },
    { text: "Sun\n3", date: "2027-01-03" },
    { text: "Mon\n4", date: null },
  ]);
  expect(strip.at(-1)).toEqual({ text: "Fri\n15", date: null });
  expect(days.at(-1)?.date).toBe("2027-01-16");
});

test("who lacks credits reads once above the list what a game costs in euros", async () => {
  const later = { ...app, now: () => hoursLater(2_000) };
  const costs = "A game costs 10 credits (10.00\u00a0€).";
  const [poor, rich] = [
    await aPlayer(app.db, { credits: 9.99 }),
    await aPlayer(app.db, { credits: 10 }),
  ];
  // New players without a free session to join read it in their first steps.
  expect(await listOf(poor, later)).toMatchObject({ firstSteps: { text: costs }, price: null });
  const used = app.db.updateTable("profiles").set({ had_free_session: true });
  await used.where("user_id", "in", [poor, rich]).execute();
  expect(await listOf(poor, later)).toMatchObject({ firstSteps: null, price: costs });
  expect(await listOf(rich, later)).toMatchObject({ firstSteps: null, price: null });
});

describe("the first steps of a new player", () => {
  const stepsOf = async (who: string, query = "") =>
    (await listOf(who, { ...app, now: () => hoursLater(2_000) }, query)).firstSteps;
  const price = { gameId: null, text: "A game costs 10 credits (10.00\u00a0€)." };

  test("are the next free game with spots, whatever is filtered by", async () => {
    const newcomer = await aPlayer(app.db);
    expect(await stepsOf(newcomer)).toEqual(price);
    const free = { venue_id: venues.Espoo, is_first_session_free: true };
    await aGame(app.db, { ...free, startsIn: 1_999 });
    const later = await aGame(app.db, { ...free, startsIn: 2_220 });
    const week = { gameId: later, text: "Your first session is free: Mon Feb 22, 00:00, Hall" };
    expect(await stepsOf(newcomer)).toEqual(week);
    const next = await aGame(app.db, { ...free, startsIn: 2_030, spots: 1 });
    const soon = { gameId: next, text: "Your first session is free: Sun 02:00, Hall" };
    expect(await stepsOf(newcomer)).toEqual(soon);
    expect(await stepsOf(newcomer, "?city=Vantaa&time=Morning")).toEqual(soon);
    const [other] = await somePlayers(app.db, 1, 10);
    await joinGame(app.db, app.jobs, { gameId: next, playerId: other!, now: hoursLater(2_000) });
    expect(await stepsOf(newcomer)).toEqual(week);
  });

  test("go with the first booking, and with a free session of a former account", async () => {
    const [joined, former] = [await ada(app.db), await aPlayer(app.db)];
    expect(await stepsOf(joined)).not.toBeNull();
    const gameId = await aGame(app.db, { startsIn: 2_100 });
    await joinGame(app.db, app.jobs, { gameId, playerId: joined, now: hoursLater(2_000) });
    expect(await stepsOf(joined)).toBeNull();
    expect(await stepsOf(former)).not.toBeNull();
    const used = app.db.updateTable("profiles").set({ had_free_session: true });
    await used.where("user_id", "=", former).execute();
    expect(await stepsOf(former)).toBeNull();
  });
});
