import { describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, ben, hoursLater, NOW } from "#test/fixtures.ts";
import { findStats } from "#app/features/players/cards.server.ts";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { markPaid } from "#app/features/roster/cash-payments.server.ts";
import { markAttendance, removePlayer } from "#app/features/roster/roster.server.ts";
import { type PlayerResult, recordResult, type Result } from "./record-result.server.ts";

const database = useDatabase();
const AFTER = hoursLater(4);

/** Ada and Ben in a game, and how it can be said to have ended. */
async function aPlayedGame({ benHasPaid = true } = {}) {
  const gameId = await aGame(database.db, { startsIn: 1 });
  const [adaId, benId] = [await ada(database.db), await ben(database.db)];
  const one = await joinGame(database.db, database.jobs, { gameId, playerId: adaId, now: NOW });
  const addition = { gameId, playerId: benId, actorId: adaId, now: NOW };
  const other = await addPlayer(database.db, database.jobs, addition);
  if (!one.ok || !other.ok) throw new Error("they are not in");
  const cash = { amountCents: 1_000, method: "Cash" as const, cashPaymentId: other.bookingId };
  const seat = { gameId, bookingId: other.bookingId, actorId: adaId, now: NOW };
  const pay = () => markPaid(database.db, { ...seat, ...cash });
  if (benHasPaid) await pay();
  const recordScore = (result: Partial<Result>, version = 0, now = AFTER) =>
    recordResult(database.db, {
      ...{ gameId, actorId: adaId, version, now },
      ...{ firstScore: 3, secondScore: 1, players: [], ...result },
    });
  const players = (adaGoals: number, benGoals: number, winner?: "ada" | "ben"): PlayerResult[] => [
    { bookingId: one.bookingId, goals: adaGoals, hasWon: winner === "ada" },
    { bookingId: other.bookingId, goals: benGoals, hasWon: winner === "ben" },
  ];
  const cards = () => Promise.all([adaId, benId].map(winsAndGoals));
  return { gameId, adaId, one, recordScore, players, cards, pay };
}
const NOTHING = { wins: null, goals: null };
async function winsAndGoals(playerId: string) {
  const { wins, goals } = await findStats(database.db, playerId, AFTER);
  return { wins, goals };
}
const entriesOn = (subject: string) =>
  database.db.selectFrom("audit_log").selectAll().where("subject", "=", subject).execute();

test("a result fills the cards and can be changed", async () => {
  const { gameId, recordScore, players, cards } = await aPlayedGame();
  expect(await cards()).toEqual([NOTHING, NOTHING]);
  expect(await recordScore({ players: players(2, 1, "ada") })).toEqual({ ok: true });
  expect(await cards()).toEqual([
    { wins: 1, goals: 2 },
    { wins: 0, goals: 1 },
  ]);
  const changed = { firstScore: 1, secondScore: 2, players: players(0, 2, "ben") };
  expect(await recordScore(changed, 1)).toEqual({ ok: true });
  expect(await cards()).toEqual([
    { wins: 0, goals: 0 },
    { wins: 1, goals: 2 },
  ]);
  const entries = await entriesOn(gameId);
  expect(entries.map(({ action, details }) => [action, details.before === null])).toEqual([
    ["game.result", true],
    ["game.result", false],
  ]);
});

test("sums over games, and counts neither no-shows nor who has left nor cancelled games", async () => {
  const { gameId, adaId, one, recordScore, players, cards } = await aPlayedGame();
  await recordScore({ players: players(2, 0, "ada") });
  const second = await aGame(database.db, { startsIn: 2 });
  const joined = await joinGame(database.db, database.jobs, {
    ...{ gameId: second, playerId: adaId, now: NOW },
  });
  if (!joined.ok) throw new Error(joined.reason);
  const scored = [{ bookingId: joined.bookingId, goals: 1, hasWon: true }];
  const score = { firstScore: 1, secondScore: 0, players: scored };
  const recording = { gameId: second, actorId: adaId, version: 0, now: AFTER };
  await recordResult(database.db, { ...recording, ...score });
  expect((await cards())[0]).toEqual({ wins: 2, goals: 3 });
  const mark = { gameId, bookingId: one.bookingId, actorId: adaId, from: null, now: AFTER };
  await markAttendance(database.db, { ...mark, to: "NoShow" });
  expect((await cards())[0]).toEqual({ wins: 1, goals: 1 });
  // Only by SQL: an organiser has to take the result back first.
  const games = database.db.updateTable("games").set({ status: "Cancelled" });
  await games.where("id", "=", second).execute();
  expect((await cards())[0]).toEqual(NOTHING);
});

test("like the games beside them on a card, wins and goals count once they are paid", async () => {
  const { recordScore, players, cards, pay } = await aPlayedGame({ benHasPaid: false });
  await recordScore({ firstScore: 1, secondScore: 2, players: players(0, 2, "ben") });
  expect((await cards())[1]).toEqual(NOTHING);
  expect(await pay()).toEqual({ ok: true });
  expect((await cards())[1]).toEqual({ wins: 1, goals: 2 });
});

describe("a result leaves out", () => {
  test("players who have left", async () => {
    const { gameId, adaId, one, recordScore, players, cards } = await aPlayedGame();
    const removal = { gameId, bookingId: one.bookingId, actorId: adaId, now: NOW };
    await removePlayer(database.db, database.jobs, { ...removal, withRefund: true });
    expect(await recordScore({ players: players(2, 1, "ben") })).toEqual({ ok: true });
    expect(await cards()).toEqual([NOTHING, { wins: 1, goals: 1 }]);
  });

  test("no-shows, also once the no-show is undone", async () => {
    const { gameId, adaId, one, recordScore, players, cards } = await aPlayedGame();
    const mark = { gameId, bookingId: one.bookingId, actorId: adaId, now: AFTER };
    await markAttendance(database.db, { ...mark, from: null, to: "NoShow" });
    expect(await recordScore({ players: players(9, 1, "ada") })).toEqual({ ok: true });
    expect(await cards()).toEqual([NOTHING, { wins: 0, goals: 1 }]);
    await markAttendance(database.db, { ...mark, from: "NoShow", to: null });
    expect(await cards()).toEqual([NOTHING, { wins: 0, goals: 1 }]);
  });

  test("players marked as no-shows later, once it is saved again", async () => {
    const { gameId, adaId, one, recordScore, players, cards } = await aPlayedGame();
    await recordScore({ players: players(2, 1, "ada") });
    const mark = { gameId, bookingId: one.bookingId, actorId: adaId, now: AFTER };
    await markAttendance(database.db, { ...mark, from: null, to: "NoShow" });
    for (const version of [1, 2]) {
      expect(await recordScore({ players: players(2, 1, "ada") }, version)).toEqual({ ok: true });
    }
    expect(await entriesOn(gameId)).toHaveLength(2);
    await markAttendance(database.db, { ...mark, from: "NoShow", to: null });
    expect(await cards()).toEqual([NOTHING, { wins: 0, goals: 1 }]);
  });
});

describe("of two organisers", () => {
  test("the second gets the first one's version and may overwrite it", async () => {
    const { recordScore, players } = await aPlayedGame();
    const mine = { players: players(3, 0, "ada") };
    const theirs = { players: players(2, 1, "ada") };
    await recordScore(theirs);
    expect(await recordScore(mine)).toMatchObject({
      ok: false,
      reason: "changed",
      version: 1,
      current: { firstScore: 3, secondScore: 1 },
    });
    expect(await recordScore(mine, 1)).toEqual({ ok: true });
  });

  test("at once: one is saved, the other gets a conflict", async () => {
    const { gameId, recordScore, players } = await aPlayedGame();
    const goals = [0, 1, 2, 3];
    const results = await Promise.all(goals.map((n) => recordScore({ players: players(n, 0) })));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await entriesOn(gameId)).toHaveLength(1);
  });

  test("who save the same result, or twice, change nothing", async () => {
    const { gameId, recordScore, players } = await aPlayedGame();
    for (let n = 0; n < 2; n += 1) await recordScore({ players: players(3, 0, "ada") });
    expect(await recordScore({ players: players(3, 0, "ada") })).toEqual({ ok: true });
    expect(await entriesOn(gameId)).toHaveLength(1);
  });
});

test("an impossible result is rejected", async () => {
  const { gameId, recordScore, players, cards } = await aPlayedGame();
  const no = (reason: string) => ({ ok: false, reason });
  expect(await recordScore({ players: players(4, 1) })).toEqual(no("too-many-goals"));
  const draw = { firstScore: 2, secondScore: 2, players: players(2, 2, "ada") };
  expect(await recordScore(draw)).toEqual(no("winners-of-a-draw"));
  expect(await recordScore({}, 0, NOW)).toEqual(no("not-started"));
  const nowhere = { actorId: gameId, version: 0, now: AFTER, ...draw };
  for (const id of ["x", crypto.randomUUID()]) {
    expect(await recordResult(database.db, { ...nowhere, gameId: id })).toEqual(no("not-found"));
  }
  await cancelGame(database.db, database.jobs, { gameId, now: NOW });
  expect(await recordScore({})).toEqual(no("not-on"));
  expect(await cards()).toEqual([NOTHING, NOTHING]);
});
