import { beforeEach, describe, expect, test } from "vitest";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, NOW } from "#test/fixtures.ts";

// What holds of a waitlist for every writer; constraints.test.ts has the rest.
const database = useDatabase();
let ids: { player: string; game: string; booking: string };
beforeEach(async () => {
  const [player, game] = [await ada(database.db), await aGame(database.db, { spots: 2 })];
  const join = { gameId: game, playerId: player, now: NOW };
  const result = await joinGame(database.db, database.jobs, join);
  if (!result.ok) throw new Error(result.reason);
  ids = { player, game, booking: result.bookingId };
});

/** Runs SQL in which {player}, {game} and {booking} stand for the ids. */
const run = (statement: string) =>
  database.pool.query(
    statement.replace(/\{(\w+)\}/g, (_, key: keyof typeof ids) => `'${ids[key]}'`),
  );
const place = (columns = "", values = "") =>
  `insert into waitlist_entries (user_id, game_id, mode, agreed_text, agreed_version, agreed_at,
     agreed_key, game_starts_at, game_venue_id, max_price_eur, until_hours, not_after${columns})
   values ({player}, {game}, 'auto', 'Yes', 1, now(), gen_random_uuid(), now(), gen_random_uuid(),
     10, 3, now()${values})`;

test.each([
  [
    "a second place on a list",
    `${place()}; ${place(", status, offer_expires_at", ", 'Offered', now()")}`,
    "waitlist_entries_one_live_per_game",
  ],
  ["an offer without an end", place(", status", ", 'Offered'"), "waitlist_entries_offer"],
  [
    "the end of an offer that nobody made",
    place(", offer_expires_at", ", now()"),
    "waitlist_entries_offer",
  ],
  ["a place that has ended at no time", place(", status", ", 'Left'"), "waitlist_entries_ended"],
  ["a live place that has ended", place(", ended_at", ", now()"), "waitlist_entries_ended"],
  [
    "a promotion without a booking",
    place(", status, ended_at", ", 'Promoted', now()"),
    "waitlist_entries_promoted",
  ],
  ["a booking of who waits", place(", booking_id", ", {booking}"), "waitlist_entries_promoted"],
  ["a game with a list that goes", `${place()}; delete from games where id = {game}`, "fkey"],
])("rejected: %s", async (_, statement, reason) => {
  await expect(run(statement)).rejects.toThrow(reason);
});

test.each([
  ["ways to wait", place().replace("'auto'", "'maybe'")],
  ["places", place(", status", ", 'Gone'")],
  ["hours to wait until", place().replace("10, 3, now()", "10, 2, now()")],
  ["prices to pay", place().replace("10, 3, now()", "-1, 3, now()")],
  ["reasons to be passed over", place(", passed_over", ", 'night'")],
  ["ends of a place", place(", status, ended_at, end_reason", ", 'Left', now(), 'Bored'")],
])("an unknown value is rejected: %s", async (_, statement) => {
  await expect(run(statement)).rejects.toThrow("violates check constraint");
});

describe("held spots follow the offers, whichever code writes them", () => {
  const held = async () =>
    (await run("select spots_held from games where id = {game}")).rows[0].spots_held;
  const set = (change: string) =>
    run(`update waitlist_entries set ${change} where game_id = {game}`);
  const [OFFER, WAIT] = [
    "status = 'Offered', offer_expires_at = now()",
    "status = 'Waiting', offer_expires_at = null",
  ];

  test("offered, over, offered again, ended, deleted", async () => {
    await run(place());
    expect(await held()).toBe(0);
    await set(OFFER);
    expect(await held()).toBe(1);
    await set("offer_expires_at = now() + interval '1 hour'");
    expect(await held()).toBe(1);
    await set(WAIT);
    expect(await held()).toBe(0);
    await set(OFFER);
    await set("status = 'Lapsed', offer_expires_at = null, ended_at = now()");
    expect(await held()).toBe(0);
    await run(place(", status, offer_expires_at", ", 'Offered', now()"));
    expect(await held()).toBe(1);
    await run("delete from waitlist_entries where game_id = {game}");
    expect(await held()).toBe(0);
  });

  test("never beyond the capacity: neither by an offer nor by a booking", async () => {
    await run(place());
    await set(OFFER);
    const other = await ada(database.db);
    const take = `insert into bookings (user_id, game_id, payment_status)
      values ('${other}', {game}, 'Paid')`;
    await expect(run(take)).rejects.toThrow("games_spots_within_capacity");
    await set(WAIT);
    await run(take);
    await expect(set(OFFER)).rejects.toThrow("games_spots_within_capacity");
  });

  test("a game's version is not counted: its organiser has changed nothing", async () => {
    const version = async () =>
      (await run("select version from games where id = {game}")).rows[0].version;
    const before = await version();
    await run(place());
    await set(OFFER);
    expect(await version()).toBe(before);
  });
});
