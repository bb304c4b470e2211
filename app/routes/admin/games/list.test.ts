import { expect, test } from "vitest";
import { anAdmin } from "#test/admin.ts";
import { testApp } from "#test/app.ts";
import { useDatabase } from "#test/db.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { aGame, aPlayer, aVenue, NOW } from "#test/fixtures.ts";
import { textOf } from "#test/screen.tsx";
import { visit } from "#test/visit.ts";
import { openSite } from "#test/whole-site.ts";
import * as list from "./list.tsx";

const database = useDatabase();

test("a past game says that it was played, or what is not recorded", async () => {
  const app = testApp(database, () => NOW);
  const { cookie } = await anAdmin(app);
  const { db } = app;
  const venueId = await aVenue(db);
  const gameId = await aGame(db, { venue_id: venueId, startsIn: -24 });
  await aGame(db, { venue_id: venueId, startsIn: -48 });
  await db
    .insertInto("bookings")
    .values({ user_id: await aPlayer(db), game_id: gameId, payment_status: "Paid" })
    .execute();
  const states = async () => {
    const path = `/admin/games?when=past&venue=${venueId}`;
    const { data } = await visit(app, list.loader, { path, cookie });
    return (data as { games: { status: string }[] }).games.map(({ status }) => status);
  };
  expect(await states()).toEqual(["No attendance or result", "No players"]);
  await db.updateTable("bookings").set({ attendance: "CheckedIn" }).execute();
  expect(await states()).toEqual(["No result", "No players"]);
  await database.pool.query(
    `insert into game_results (game_id, first_score, second_score, recorded_at)
     values ($1, 3, 2, now())`,
    [gameId],
  );
  expect(await states()).toEqual(["Played", "No players"]);
});

test("a game is found by its title without accents or case, in ASCII or not", async () => {
  const app = testApp(database, () => NOW);
  const { cookie } = await anAdmin(app);
  for (const title of ["Jalkapalloa Töölössä", "Straßenfußball", "Friday STREET"]) {
    await aGame(app.db, { title });
  }
  const found = async (words: string) => {
    const path = `/admin/games?q=${encodeURIComponent(words)}`;
    const { data } = await visit(app, list.loader, { path, cookie });
    return (data as { games: { title: string }[] }).games.map(({ title }) => title);
  };
  expect(await found("toolossa")).toEqual(["Jalkapalloa Töölössä"]);
  expect(await found("STRASSENFUSS\u00adBALL")).toEqual(["Straßenfußball"]);
  expect(await found("friday street\u200b")).toEqual(["Friday STREET"]);
});

test("what was not recorded within 14 days is played, as for the overview", async () => {
  const app = testApp(database, () => NOW);
  const { cookie } = await anAdmin(app);
  const { db } = app;
  const venueId = await aVenue(db);
  for (const days of [13, 15]) {
    const game_id = await aGame(db, { venue_id: venueId, startsIn: -24 * days });
    const seat = { user_id: await aPlayer(db), game_id, payment_status: "Paid" as const };
    await db.insertInto("bookings").values(seat).execute();
  }
  const path = `/admin/games?when=past&venue=${venueId}`;
  const { data } = await visit(app, list.loader, { path, cookie });
  const { games } = data as { games: { status: string }[] };
  expect(games.map(({ status }) => status)).toEqual(["No attendance or result", "Played"]);
});

test("a list that a link has narrowed says so in a line, with its fields folded", async () => {
  const app = testApp(database);
  const { cookie } = await anAdmin(app);
  const site = await openSite(app);
  const read = async (query: string) => (await site(`/admin/games?${query}`, { cookie })).text();
  const due = await read("when=all&pays=cash-back");
  expect(textOf(due)).toContain("Only games with cash to give back.");
  expect(due).not.toMatch(/<details[^>]* open=""/);
  const lacking = textOf(await read("when=past&lacks=result"));
  expect(lacking).toContain("Only games without a result, of the last 14 days.");
  const inCity = await read("city=Espoo");
  expect(textOf(inCity)).not.toContain("Only games");
  expect(inCity).toMatch(/<details[^>]* open=""/);
});

test("unpaid seats are a list of people, each with game, sum and the way to the row", async () => {
  const app = testApp(database, () => NOW);
  const { cookie, id: actorId } = await anAdmin(app);
  const site = await openSite(app);
  const seats = [];
  for (const startsIn of [-48, 48]) {
    const gameId = await aGame(app.db, { startsIn });
    const playerId = await aPlayer(app.db, { name: startsIn < 0 ? "Kasper" : "Wilma" });
    const added = await addPlayer(app.db, app.jobs, { gameId, playerId, actorId, now: NOW });
    if (!added.ok) throw new Error(added.reason);
    seats.push(`href="/admin/games/${gameId}#seat-${added.bookingId}"`);
  }
  const read = async (query: string) => (await site(`/admin/games?${query}`, { cookie })).text();
  const past = await read("when=past&pays=unpaid");
  expect(textOf(past)).toMatch(/Kasper \w+\|.*Nov 19.*Campus Hall\|10\.00/);
  expect(seats.map((seat) => past.includes(seat))).toEqual([true, false]);
  const toCome = await read("pays=unpaid");
  expect(seats.map((seat) => toCome.includes(seat))).toEqual([false, true]);
  expect(await read("when=past")).not.toContain("Who has not paid");
});
