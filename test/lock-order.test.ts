import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { makeTeams } from "#app/features/teams/change-teams.server.ts";
import { editGame } from "#app/features/organise/edit-game.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { markPaid, undoPayment } from "#app/features/roster/cash-payments.server.ts";
import { checkInRest, markAttendance, removePlayer } from "#app/features/roster/roster.server.ts";
import { recordResult } from "#app/features/teams/record-result.server.ts";
import { findPlannedGame } from "#app/features/games/admin-games.server.ts";
import { deleteGames } from "#app/features/organise/delete-games.server.ts";
import { publishGame } from "#app/features/organise/publish-game.server.ts";
import { useErasure } from "./erasure.ts";
import {
  account,
  booking,
  expectLockOrder,
  game,
  readAsStored,
  venue,
  wallet,
} from "./lock-order.ts";
import { aGame, aPlayer, hoursLater, NOW } from "./fixtures.ts";

/*
 * One order everywhere: Stripe events, game, wallet, booking; several games and several wallets by
 * their ids. A transaction that keeps to it cannot wait for one that waits for it.
 */
const scenario = useErasure();
readAsStored(scenario.database);
const db = () => scenario.app.db;
const jobs = () => scenario.app.jobs;
const rich = () => aPlayer(db(), { credits: 100 });
const AFTER = hoursLater(4);

async function join(gameId: string, playerId: string): Promise<string> {
  const joined = await joinGame(db(), jobs(), { gameId, playerId, now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
  return joined.bookingId;
}

/** Neither as they are stored nor backwards are they in the order of their ids. */
const shuffled = <T>([low, middle, high]: T[]) => [middle!, high!, low!];

/** Three games a week apart, by their ids; `columns` are those of all. */
async function threeGames(columns: Parameters<typeof aGame>[1] = {}): Promise<string[]> {
  const ids = Array.from({ length: 3 }, () => randomUUID()).toSorted();
  for (const [week, id] of shuffled(ids).entries()) {
    await aGame(db(), { ...columns, id, startsIn: 48 + week * 168 });
  }
  return ids;
}

describe("one game and one player:", () => {
  const aBooking = async (wish: Parameters<typeof aGame>[1] = {}) => {
    const [gameId, playerId] = [await aGame(db(), wish), await rich()];
    return { gameId, playerId, actorId: playerId, bookingId: await join(gameId, playerId) };
  };

  test.each([false, true])("joining locks game, wallet (free session: %s)", (isFree) =>
    expectLockOrder(db(), async () => {
      const gameId = await aGame(db(), { is_first_session_free: isFree });
      const playerId = await rich();
      return { locks: [game(gameId), wallet(playerId)], run: () => join(gameId, playerId) };
    }),
  );

  test("an organiser who adds a player locks game, wallet", () =>
    expectLockOrder(db(), async () => {
      const [gameId, playerId] = [await aGame(db()), await rich()];
      const addition = { gameId, playerId, actorId: playerId, now: NOW };
      const locks = [game(gameId), wallet(playerId)];
      return { locks, run: () => addPlayer(db(), jobs(), addition) };
    }));

  test("cancelling locks game, wallet, booking", () =>
    expectLockOrder(db(), async () => {
      const seat = await aBooking();
      const locks = [game(seat.gameId), wallet(seat.playerId), booking(seat.bookingId)];
      return { locks, run: () => cancelBooking(db(), jobs(), { ...seat, now: NOW }) };
    }));

  test("removing a player locks game, wallet, booking", () =>
    expectLockOrder(db(), async () => {
      const seat = await aBooking();
      const locks = [game(seat.gameId), wallet(seat.playerId), booking(seat.bookingId)];
      const removal = { ...seat, withRefund: true, now: NOW };
      return { locks, run: () => removePlayer(db(), jobs(), removal) };
    }));

  test("marking who was there locks game, booking", () =>
    expectLockOrder(db(), async () => {
      const seat = await aBooking({ startsIn: 1 });
      const mark = { ...seat, from: null, to: "NoShow" as const, now: AFTER };
      const locks = [game(seat.gameId), booking(seat.bookingId)];
      return { locks, run: () => markAttendance(db(), mark) };
    }));

  test("marking who has paid locks game, booking", () =>
    expectLockOrder(db(), async () => {
      const [gameId, playerId] = [await aGame(db()), await rich()];
      const addition = { gameId, playerId, actorId: playerId, now: NOW };
      const added = await addPlayer(db(), jobs(), addition);
      if (!added.ok) throw new Error(added.reason);
      const locks = [game(gameId), booking(added.bookingId)];
      const cash = { amountCents: 1_000, method: "Cash" as const, cashPaymentId: randomUUID() };
      const payment = { ...addition, ...cash, bookingId: added.bookingId };
      return { locks, run: () => markPaid(db(), payment) };
    }));

  test("taking back who has paid locks game, booking", () =>
    expectLockOrder(db(), async () => {
      const [gameId, playerId] = [await aGame(db()), await rich()];
      const cash = { amountCents: 1_000, method: "Cash" as const };
      const addition = { gameId, playerId, actorId: playerId, now: NOW };
      const added = await addPlayer(db(), jobs(), {
        ...addition,
        payment: { by: "cash", ...cash },
      });
      if (!added.ok) throw new Error(added.reason);
      const { bookingId } = added;
      const undoing = {
        ...addition,
        bookingId,
        cashPaymentId: bookingId,
        kind: "Mistake" as const,
      };
      const locks = [game(gameId), booking(bookingId)];
      return { locks, run: () => undoPayment(db(), undoing) };
    }));

  test("an organiser who charges a player locks game, wallet", () =>
    expectLockOrder(db(), async () => {
      const [gameId, playerId] = [await aGame(db()), await rich()];
      const addition = { gameId, playerId, actorId: playerId, now: NOW };
      const locks = [game(gameId), wallet(playerId)];
      const charged = { ...addition, payment: { by: "credits" as const } };
      return { locks, run: () => addPlayer(db(), jobs(), charged) };
    }));

  test("checking in the rest locks game, booking", () =>
    expectLockOrder(db(), async () => {
      const { bookingId, ...seat } = await aBooking({ startsIn: 1 });
      const rest = { ...seat, bookingIds: [bookingId], now: AFTER };
      return { locks: [game(seat.gameId), booking(bookingId)], run: () => checkInRest(db(), rest) };
    }));

  test("recording a result locks game, booking", () =>
    expectLockOrder(db(), async () => {
      const { bookingId, ...seat } = await aBooking({ startsIn: 1 });
      const players = [{ bookingId, goals: 1, hasWon: true }];
      const result = { firstScore: 1, secondScore: 0, players, version: 0, now: AFTER };
      const locks = [game(seat.gameId), booking(bookingId)];
      return { locks, run: () => recordResult(db(), { ...seat, ...result }) };
    }));

  test("making teams locks game, booking", () =>
    expectLockOrder(db(), async () => {
      const { gameId, bookingId, actorId } = await aBooking();
      for (let n = 0; n < 3; n += 1) await join(gameId, await rich());
      const making = { gameId, actorId, version: 0, count: 2 as const };
      return { locks: [game(gameId), booking(bookingId)], run: () => makeTeams(db(), making) };
    }));
});

test("calling a game off locks the game, then the wallets by their players' ids", () =>
  expectLockOrder(db(), async () => {
    const gameId = await aGame(db());
    const players = [await rich(), await rich(), await rich()].toSorted();
    for (const playerId of shuffled(players)) await join(gameId, playerId);
    const locks = [game(gameId), ...players.map(wallet)];
    return { locks, run: () => cancelGame(db(), jobs(), { gameId, now: NOW }) };
  }));

test("deleting an account locks the account, its games by their ids, its wallet", () =>
  expectLockOrder(db(), async () => {
    const who = await scenario.player();
    const games = await threeGames();
    for (const gameId of shuffled(games)) await join(gameId, who.userId);
    const run = async () => expect(await scenario.remove(who)).toEqual({ ok: true });
    return { locks: [account(who.userId), ...games.map(game), wallet(who.userId)], run };
  }));

async function venuesOf(games: string[]): Promise<string[]> {
  const found = db().selectFrom("games").select("venue_id").where("id", "in", games);
  return (await found.execute()).map(({ venue_id }) => venue_id).toSorted();
}

describe("a game with the following ones of its series:", () => {
  test("editing locks the games by their ids, then the venues by theirs, then the bookings", () =>
    expectLockOrder(db(), async () => {
      const games = await threeGames({ series_id: randomUUID() });
      const [gameId] = shuffled(games);
      const [playerId, actorId] = [await rich(), await rich()];
      const seat = await join(gameId!, playerId);
      const { plan, version } = (await findPlannedGame(db(), gameId!))!;
      const edit = { gameId: gameId!, actorId, version, plan: { ...plan, endTime: "23:59" } };
      const all = { withFollowing: true, confirmed: true, now: NOW };
      const run = async () =>
        expect(await editGame(db(), jobs(), { ...edit, ...all })).toMatchObject({ games: 3 });
      const venues = (await venuesOf(games)).map(venue);
      return { locks: [...games.map(game), ...venues, booking(seat)], run };
    }));

  test("publishing locks the games by their ids, then the venues by theirs", () =>
    expectLockOrder(db(), async () => {
      const games = await threeGames({ series_id: randomUUID(), status: "Draft" });
      const command = { gameId: shuffled(games)[0]!, withFollowing: true, actorId: await rich() };
      const run = async () =>
        expect(await publishGame(db(), { ...command, now: NOW })).toEqual({
          ok: true,
          published: 3,
        });
      const venues = (await venuesOf(games)).map(venue);
      return { locks: [...games.map(game), ...venues], run };
    }));

  test("deleting locks them by their ids", () =>
    expectLockOrder(db(), async () => {
      const games = await threeGames({ series_id: randomUUID() });
      const form = { gameIds: shuffled(games), actorId: await rich(), formKey: undefined };
      const run = async () =>
        expect(await deleteGames(db(), { ...form, now: NOW })).toEqual({ ok: true, games: 3 });
      return { locks: games.map(game), run };
    }));
});
