import { describe, expect, test } from "vitest";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { editGame } from "#app/features/organise/edit-game.server.ts";
import { leaveWaitlist } from "#app/features/waitlist/join-waitlist.server.ts";
import { findPlannedGame } from "#app/features/games/admin-games.server.ts";
import { useErasure } from "./erasure.ts";
import { aPlayer, hoursLater, NOW } from "./fixtures.ts";
import {
  account,
  booking,
  expectLockOrder,
  game,
  readAsStored,
  untilBlocked,
  wallet,
} from "./lock-order.ts";
import { waitlistOf } from "./waitlist.ts";

/*
 * The order of lock-order.test.ts where a list, or a refund of a late cancellation, brings a second
 * player into a transaction: game, then all of its wallets by their players' ids, then bookings.
 */
const scenario = useErasure();
readAsStored(scenario.database);
const db = () => scenario.app.db;
const jobs = () => scenario.app.jobs;
const list = waitlistOf(scenario.database);
const LATE = hoursLater(30);

/** Two players with credits, by their ids, or the other way round. */
async function twoPlayers(order: string): Promise<[string, string]> {
  const ids = [await aPlayer(db(), { credits: 50 }), await aPlayer(db(), { credits: 50 })];
  const [low, high] = ids.toSorted();
  return order === "low first" ? [low!, high!] : [high!, low!];
}

/** A full game of one; `late` has given the spot back too late for a refund. */
async function givenBackLate(late: string) {
  const { gameId, seat } = await list.fullGame({ startsIn: 48 });
  await list.cancel(seat, NOW);
  const own = await list.join(gameId, late, NOW);
  return { gameId, own, giveBack: () => list.cancel(own, LATE) };
}

const EITHER_WAY = ["low first", "high first"];
const walletsOf = (...players: string[]) => players.toSorted().map(wallet);

describe("a spot that was given back late locks game, both wallets by id, booking, when", () => {
  test.each(EITHER_WAY)("it is joined (%s)", (order) =>
    expectLockOrder(db(), async () => {
      const [late, playerId] = await twoPlayers(order);
      const { gameId, own, giveBack } = await givenBackLate(late);
      await giveBack();
      const locks = [game(gameId), ...walletsOf(late, playerId), booking(own.bookingId)];
      return { locks, run: () => list.join(gameId, playerId, LATE) };
    }),
  );

  test.each(EITHER_WAY)("the first who waits is promoted (%s)", (order) =>
    expectLockOrder(db(), async () => {
      const [late, playerId] = await twoPlayers(order);
      const { gameId, own, giveBack } = await givenBackLate(late);
      await list.wait(gameId, playerId);
      await giveBack();
      const locks = [game(gameId), ...walletsOf(late, playerId), booking(own.bookingId)];
      const run = async () => expect(await list.promote(gameId, LATE)).toBe(1);
      return { locks, run };
    }),
  );

  test.each(EITHER_WAY)("an organiser adds a player (%s)", (order) =>
    expectLockOrder(db(), async () => {
      const [late, playerId] = await twoPlayers(order);
      const { gameId, own, giveBack } = await givenBackLate(late);
      await giveBack();
      const locks = [game(gameId), ...walletsOf(late, playerId), booking(own.bookingId)];
      const addition = { gameId, playerId, actorId: playerId, now: LATE };
      const run = async () =>
        expect(await addPlayer(db(), jobs(), addition)).toMatchObject({ ok: true });
      return { locks, run };
    }),
  );

  test.each(EITHER_WAY)("the game is called off with another player in it (%s)", (order) =>
    expectLockOrder(db(), async () => {
      const [late, playerId] = await twoPlayers(order);
      const { gameId, own, giveBack } = await givenBackLate(late);
      await giveBack();
      await scenario.database.pool.query("update games set max_players = 3 where id = $1", [
        gameId,
      ]);
      const other = await list.join(gameId, playerId, LATE);
      const bookings = [booking(other.bookingId), booking(own.bookingId)];
      const locks = [game(gameId), ...walletsOf(late, playerId), ...bookings];
      return { locks, run: () => cancelGame(db(), jobs(), { gameId, now: LATE }) };
    }),
  );
});

describe("with a list", () => {
  test("a promotion locks game, wallet", () =>
    expectLockOrder(db(), async () => {
      const { gameId, seat } = await list.fullGame();
      const [first] = await list.waiters(gameId, 2);
      await list.cancel(seat);
      const run = async () => expect(await list.promote(gameId)).toBe(1);
      return { locks: [game(gameId), wallet(first!)], run };
    }));

  test("two promotions hold one wallet at a time, since the list is in no order of ids", async () => {
    const { gameId, seats } = await list.fullGame({ spots: 2 });
    const [first, second] = await twoPlayers("high first");
    await list.waitAll(gameId, [first, second]);
    for (const seat of seats) await list.cancel(seat);
    const { running } = await db()
      .transaction()
      .execute(async (holder) => {
        await wallet(second).hold(holder);
        const running = list.promote(gameId);
        await untilBlocked(holder, db(), running);
        const isFree = await db()
          .transaction()
          .execute((tx) => wallet(first).isFree(tx));
        expect(isFree).toBe(true);
        return { running };
      });
    expect(await running).toBe(2);
  });

  test("taking an offer locks game, wallet", () =>
    expectLockOrder(db(), async () => {
      const { gameId, seat } = await list.fullGame();
      const [first] = await list.waiters(gameId, 1, { mode: "ask" });
      await list.cancel(seat);
      await list.promote(gameId);
      return { locks: [game(gameId), wallet(first!)], run: () => list.join(gameId, first!) };
    }));

  test("waiting, leaving and cancelling lock the game before anything else", async () => {
    const playerId = await aPlayer(db(), { credits: 50 });
    await expectLockOrder(db(), async () => {
      const { gameId } = await list.fullGame();
      return { locks: [game(gameId)], run: () => list.wait(gameId, playerId) };
    });
    await expectLockOrder(db(), async () => {
      const { gameId } = await list.fullGame();
      await list.wait(gameId, playerId);
      const leave = { gameId, playerId, now: NOW };
      return { locks: [game(gameId)], run: () => leaveWaitlist(db(), jobs(), leave) };
    });
    await expectLockOrder(db(), async () => {
      const { gameId, seat } = await list.fullGame();
      await list.waiters(gameId, 1);
      const locks = [game(gameId), wallet(seat.playerId), booking(seat.bookingId)];
      return { locks, run: () => cancelBooking(db(), jobs(), { ...seat, now: NOW }) };
    });
  });

  test("moving a game locks game, booking, and no wallet", () =>
    expectLockOrder(db(), async () => {
      const { gameId, seat } = await list.fullGame();
      await list.waiters(gameId, 2);
      const { plan, version } = (await findPlannedGame(db(), gameId))!;
      const edit = {
        gameId,
        actorId: seat.playerId,
        version,
        plan: { ...plan, startTime: "11:00" },
      };
      const all = { withFollowing: false, confirmed: true, now: NOW };
      const run = async () =>
        expect(await editGame(db(), jobs(), { ...edit, ...all })).toMatchObject({ ok: true });
      return { locks: [game(gameId), booking(seat.bookingId)], run };
    }));

  test("deleting an account locks the account, the games by their ids, wallet, booking", () =>
    expectLockOrder(db(), async () => {
      const who = await scenario.player();
      const full = [await list.fullGame(), await list.fullGame(), await list.fullGame()];
      for (const { gameId } of full) await list.wait(gameId, who.userId);
      const games = full.map(({ gameId }) => gameId).toSorted();
      const { gameId, own } = await givenBackLate(who.userId);
      const cancellation = { ...own, reason: "Flu", now: LATE };
      await cancelBooking(db(), jobs(), cancellation);
      expect(games).not.toContain(gameId);
      const run = async () => expect(await scenario.remove(who)).toEqual({ ok: true });
      const locks = [...games.map(game), wallet(who.userId), booking(own.bookingId)];
      return { locks: [account(who.userId), ...locks], run };
    }));
});
