import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { hoursLater } from "#test/fixtures.ts";
import { statementsSent } from "#test/plans.ts";
import { teamsOf } from "#test/teams.ts";
import { findStats } from "#app/features/players/cards.server.ts";
import { markAttendance, removePlayer } from "#app/features/roster/roster.server.ts";
import { findResult, recordResult, type Result } from "./record-result.server.ts";
import { findLineup } from "./lineups.server.ts";

const database = useDatabase();
const teams = teamsOf(database);
const AFTER = hoursLater(4);
const no = (reason: string) => ({ ok: false, reason });
const OK = { ok: true };

/** A game that was played by two teams or more. */
async function aPlayedGame(players = 6, count: 2 | 3 = 2) {
  const game = await teams.aGameOf(players, { startsIn: 1 });
  const { gameId, bookings } = game;
  await teams.make(gameId, count);
  const recordScore = async (result: Partial<Result>, version = 0, teamsVersion?: number) =>
    recordResult(database.db, {
      ...{ gameId, actorId: "an organiser", version, now: AFTER },
      ...{ firstScore: 5, secondScore: 3, players: goals(), ...result },
      teamsVersion: teamsVersion ?? (await teams.version(gameId)),
    });
  /** Everybody is said to have won. */
  const goals = () => bookings.map((bookingId) => ({ bookingId, goals: 1, hasWon: true }));
  /** Winners, against the team that they are in. */
  const winners = async () => {
    const rows = database.db.selectFrom("bookings").select(["team", "has_won as hasWon"]);
    const seats = await rows.where("game_id", "=", gameId).orderBy("team").execute();
    return seats.map(({ team, hasWon }) => `${team} ${hasWon}`);
  };
  return { ...game, recordScore, winners };
}

test("the team with the higher score has won, whatever the form says", async () => {
  const { recordScore, winners, players } = await aPlayedGame();
  expect(await recordScore({})).toEqual(OK);
  const won = ["1 true", "1 true", "1 true", "2 false", "2 false", "2 false"];
  expect(await winners()).toEqual(won);
  const cards = await Promise.all(players.map((id) => findStats(database.db, id, AFTER)));
  expect(cards.map(({ wins }) => wins).toSorted()).toEqual([0, 0, 0, 1, 1, 1]);
  expect(await recordScore({ firstScore: 3, secondScore: 5 }, 1)).toEqual(OK);
  const others = ["1 false", "1 false", "1 false", "2 true", "2 true", "2 true"];
  expect(await winners()).toEqual(others);
});

test("a result is as many statements for six players as for two", async () => {
  const count = async (players: number) => {
    const { gameId, bookings } = await teams.aGameOf(players, { startsIn: 1 });
    const each = bookings.map((bookingId) => ({ bookingId, goals: 1, hasWon: false }));
    const recording = { gameId, actorId: "an organiser", version: 0, now: AFTER };
    const score = { firstScore: 3, secondScore: 3, players: each };
    const sent = await statementsSent(
      database.pool,
      async (db) => expect(await recordResult(db, { ...recording, ...score })).toEqual(OK),
      /./,
    );
    return sent.length;
  };
  expect(await count(6)).toBe(await count(2));
});

test("who has left keeps the win when others change teams", async () => {
  const { gameId, bookings, recordScore } = await aPlayedGame();
  await recordScore({});
  const seats = await teams.seats(gameId);
  const [winner, other] = seats.filter(({ team }) => team === 1).map(({ id }) => id);
  const removal = { gameId, bookingId: winner!, actorId: bookings[0]!, withRefund: false };
  await removePlayer(database.db, database.jobs, { ...removal, now: AFTER });
  const left = database.db.selectFrom("bookings").select("has_won").where("id", "=", winner!);
  expect(await teams.move(gameId, other!, 2)).toEqual(OK);
  expect(await left.executeTakeFirst()).toEqual({ has_won: true });
});

test("a draw has no winner", async () => {
  const { recordScore, winners } = await aPlayedGame();
  expect(await recordScore({ firstScore: 4, secondScore: 4 })).toEqual(OK);
  expect(new Set(await winners())).toEqual(new Set(["1 false", "2 false"]));
});

test("of three teams the one with the highest score has won, and none of two that share it", async () => {
  const { gameId, recordScore, winners } = await aPlayedGame(6, 3);
  // Won matches: fewer than the goals.
  const score = { firstScore: 1, secondScore: 0, thirdScore: 2 };
  expect(await recordScore(score)).toEqual(OK);
  expect(await winners()).toEqual(["1 false", "1 false", "2 false", "2 false", "3 true", "3 true"]);
  expect(await findResult(database.db, gameId)).toEqual({ ...score, version: 1 });
  expect(await recordScore(score)).toEqual(OK);
  expect(await recordScore({ ...score, firstScore: 2 }, 1)).toEqual(OK);
  expect((await winners()).filter((row) => row.includes("true"))).toEqual([]);
});

test("no-shows, and players in no team, have not won", async () => {
  const { gameId, recordScore, winners } = await aPlayedGame();
  const [absent] = (await teams.seats(gameId)).filter(({ team }) => team === 1);
  const mark = { gameId, bookingId: absent!.id, actorId: "an organiser", from: null };
  await markAttendance(database.db, { ...mark, to: "NoShow", now: AFTER });
  const [loser] = (await teams.seats(gameId)).filter(({ team }) => team === 2);
  await database.pool.query("update bookings set team = null where id = $1", [loser!.id]);
  expect(await recordScore({})).toEqual(OK);
  expect((await winners()).toSorted()).toEqual([
    ...["1 null", "1 true", "1 true"],
    ...["2 false", "2 false", "null false"],
  ]);
});

test("a player who is moved or placed afterwards has won or lost with the new team", async () => {
  const { gameId, recordScore, winners } = await aPlayedGame();
  await recordScore({});
  const [winner] = (await teams.seats(gameId)).filter(({ team }) => team === 1);
  await teams.move(gameId, winner!.id, 2);
  expect((await winners()).toSorted()).toEqual([
    ...["1 true", "1 true"],
    ...["2 false", "2 false", "2 false", "2 false"],
  ]);
  await database.pool.query("update bookings set team = null where id = $1", [winner!.id]);
  await teams.place(gameId);
  expect((await winners()).filter((row) => row === "1 true")).toHaveLength(3);
});

test("scores are only for the teams that the form shows", async () => {
  const { gameId, recordScore, winners } = await aPlayedGame();
  const seen = await teams.version(gameId);
  expect(await recordScore({}, 0, 0)).toEqual(no("teams-changed"));
  await teams.make(gameId, 2, { seed: 9 });
  expect(await recordScore({}, 0, seen)).toEqual(no("teams-changed"));
  expect(await recordScore({ thirdScore: 1 })).toEqual(no("teams-changed"));
  expect(await findResult(database.db, gameId)).toBeNull();
  expect((await winners()).every((row) => row.endsWith("null"))).toBe(true);
  const { gameId: plain } = await teams.aGameOf(2, { startsIn: 1 });
  expect(await findLineup(database.db, plain)).toBeNull();
  const form = { gameId: plain, actorId: "an organiser", version: 0, now: AFTER };
  const score = { firstScore: 1, secondScore: 0, players: [] };
  expect(await recordResult(database.db, { ...form, ...score, teamsVersion: 1 })).toEqual(
    no("teams-changed"),
  );
});

test("without teams not everybody can have won", async () => {
  const { gameId, bookings } = await teams.aGameOf(8, { startsIn: 1 });
  const form = { gameId, actorId: "an organiser", version: 0, now: AFTER };
  const recordScore = (winners: number) => {
    const players = bookings.map((bookingId, n) => ({ bookingId, goals: 1, hasWon: n < winners }));
    return recordResult(database.db, { ...form, firstScore: 5, secondScore: 3, players });
  };
  expect(await recordScore(8)).toEqual(no("too-many-winners"));
  expect(await recordScore(6)).toEqual(no("too-many-winners"));
  expect(await recordScore(5)).toEqual(OK);
});
