import { beforeEach, expect, test } from "vitest";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, NOW } from "#test/fixtures.ts";

// What holds of held spots for every writer.
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
const hold = (columns = "", values = "") =>
  `insert into friend_holds (user_id, game_id, token, expires_at${columns})
   values ({player}, {game}, gen_random_uuid()::text, now()${values})`;

test.each([
  ["a second live hold", `${hold()}; ${hold()}`, "friend_holds_one_live_per_game"],
  ["a hold that has ended at no time", hold(", status", ", 'Lapsed'"), "friend_holds_ended"],
  ["a live hold that has ended", hold(", ended_at", ", now()"), "friend_holds_ended"],
  [
    "one that nobody took, and is taken",
    hold(", status, ended_at", ", 'Taken', now()"),
    "friend_holds_taken",
  ],
  [
    "one that somebody took, and is given back",
    hold(", status, ended_at, booking_id", ", 'GivenBack', now(), {booking}"),
    "friend_holds_taken",
  ],
  [
    "a booking that is none",
    hold(", status, ended_at, booking_id", ", 'Taken', now(), gen_random_uuid()"),
    "friend_holds_booking_id_fkey",
  ],
  [
    "two that one booking took",
    [0, 1]
      .map(() => hold(", status, ended_at, booking_id", ", 'Taken', now(), {booking}"))
      .join(";"),
    "friend_holds_booking_id_key",
  ],
  [
    "one token for two",
    `${hold()}; insert into friend_holds (user_id, game_id, token, status, expires_at, ended_at)
      select user_id, game_id, token, 'Lapsed', now(), now() from friend_holds`,
    "friend_holds_token_key",
  ],
  ["an unknown status", hold(", status, ended_at", ", 'Gone', now()"), "check constraint"],
  ["a game with holds that goes", `${hold()}; delete from games where id = {game}`, "fkey"],
])("rejected: %s", async (_, statement, reason) => {
  await expect(run(statement)).rejects.toThrow(reason);
});

test("held spots follow the holds, whichever code writes them, within the capacity", async () => {
  const held = async () =>
    (await run("select spots_held from games where id = {game}")).rows[0].spots_held;
  const set = (change: string) => run(`update friend_holds set ${change} where game_id = {game}`);
  await run(hold());
  expect(await held()).toBe(1);
  await set("expires_at = now() + interval '1 hour'");
  expect(await held()).toBe(1);
  const join = { gameId: ids.game, playerId: await ada(database.db), now: NOW };
  const take = `insert into bookings (user_id, game_id, payment_status)
    values ('${join.playerId}', {game}, 'Paid')`;
  await expect(run(take)).rejects.toThrow("games_spots_within_capacity");
  await set("status = 'Lapsed', ended_at = now()");
  expect(await held()).toBe(0);
  await run(take);
  await expect(set("status = 'Held', ended_at = null")).rejects.toThrow("within_capacity");
  await run("delete from friend_holds where game_id = {game}");
  expect(await held()).toBe(0);
});

test("a deleted account holds nothing", async () => {
  await run("update profiles set deleted_at = now() where user_id = {player}");
  await expect(run(hold())).rejects.toThrow("deleted");
});
