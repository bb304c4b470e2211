import { beforeEach, expect, test } from "vitest";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { BIBS } from "#app/features/teams/bibs.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, NOW } from "#test/fixtures.ts";

// What holds of teams for every writer.
const database = useDatabase();
let ids: { game: string; other: string; booking: string };
beforeEach(async () => {
  const player = await ada(database.db);
  const [game, other] = [await aGame(database.db), await aGame(database.db)];
  const join = { gameId: game, playerId: player, now: NOW };
  const result = await joinGame(database.db, database.jobs, join);
  if (!result.ok) throw new Error(result.reason);
  ids = { game, other, booking: result.bookingId };
  await run(`insert into game_lineups (game_id, seed) values ({game}, 1), ({other}, 1);
    insert into game_teams (game_id, number, bib) values ({game}, 1, 'Yellow'), ({game}, 2, 'Blue'),
      ({other}, 3, 'Red')`);
});

/** Runs SQL in which {game}, {other} and {booking} stand for the ids. */
const run = (statement: string) =>
  database.pool.query(
    statement.replace(/\{(\w+)\}/g, (_, key: keyof typeof ids) => `'${ids[key]}'`),
  );
const team = (values: string) => `insert into game_teams (game_id, number, bib) values (${values})`;
const seat = (number: number) => `update bookings set team = ${number} where id = {booking}`;
const score = (columns: string, values: string) =>
  `insert into game_results (game_id, first_score, second_score, recorded_at, ${columns})
   values ({game}, 1, 0, now(), ${values})`;

test.each([
  ["two teams of one number", team("{game}, 2, 'Red'"), "game_teams_pkey"],
  ["two teams in one colour", team("{game}, 3, 'Blue'"), "game_teams_one_bib_each"],
  ["an unknown colour", team("{game}, 3, 'Pink'"), "game_teams_bib_check"],
  ["a fifth team", team("{game}, 5, 'Red'"), "game_teams_number_check"],
  ["a team of number 0", team("{game}, 0, 'Red'"), "game_teams_number_check"],
  ["a team of a game without teams", team("{booking}, 1, 'Red'"), "game_teams_game_id_fkey"],
  ["a booking in no team of its game", seat(4), "bookings_team"],
  ["a booking in a team of another game", seat(3), "bookings_team"],
  ["a seed below 0", "update game_lineups set seed = -1", "game_lineups_seed_check"],
  [
    "teams of no game",
    "insert into game_lineups (game_id, seed) values ({booking}, 1)",
    "game_lineups_game_id_fkey",
  ],
  ["a fourth score without a third", score("fourth_score", "1"), "game_results_scores"],
  ["a score above 99", score("third_score", "100"), "game_results_third_score_check"],
])("rejected: %s", async (_, statement, reason) => {
  await expect(run(statement)).rejects.toThrow(reason);
});

test("every colour of the code can be stored", async () => {
  for (const bib of BIBS) await run(`update game_teams set bib = '${bib}' where game_id = {other}`);
});

test("a player of a team that goes is in none", async () => {
  await run(seat(2));
  await run("delete from game_teams where game_id = {game} and number = 2");
  const { rows } = await run(
    "select team, game_id = {game} as kept from bookings where id = {booking}",
  );
  expect(rows).toEqual([{ team: null, kept: true }]);
});

test("one statement exchanges two colours", async () => {
  await run(`update game_teams set bib = case bib when 'Blue' then 'Yellow' else 'Blue' end
    where game_id = {game}`);
});
