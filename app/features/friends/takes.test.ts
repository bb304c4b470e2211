import { afterEach, describe, expect, test } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, aPlayer, balanceCents, hoursLater, NOW } from "#test/fixtures.ts";
import { heldCount, holdsIn, holdsOf, holdStatuses, promotionsOf } from "#test/holds.ts";
import { bookingOf, entryOf, suspend, waitlistOf } from "#test/waitlist.ts";
import {
  cancelBooking,
  leaveGames,
  lockSeatsOf,
} from "#app/features/bookings/cancel-booking.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { purgeHolds } from "./holds.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { removePlayer } from "#app/features/roster/roster.server.ts";

const database = useDatabase();
const holds = holdsOf(database);
const list = waitlistOf(database);

afterEach(() => expectRightBooks(database));

/** The last spot of a game, held for a friend. */
async function aHold(wish: Parameters<typeof aGame>[1] = {}, now = NOW) {
  const game = await holds.aGameWithAHost(wish, now);
  return { ...game, token: await holds.hold(game.gameId, game.host, now) };
}

describe("a held spot is taken", () => {
  test("by the first who has the link, for the normal price, though the game is full", async () => {
    const { gameId, token } = await aHold();
    const [friend, second] = [await ada(database.db), await ada(database.db)];
    const bookingId = await holds.take(gameId, friend, token);
    expect(await holdsIn(database.db, gameId)).toMatchObject([
      { status: "Taken", booking_id: bookingId, ended_at: NOW },
    ]);
    expect(await heldCount(database.db, gameId)).toBe(0);
    expect(await balanceCents(database.db, friend)).toBe(9_000);
    const booking = await bookingOf(database.db, gameId, friend);
    expect(booking).toMatchObject({
      price_eur: "10.00",
      refund_hours: 24,
      free_cancel_until: null,
    });
    const late = await holds.tryTake(gameId, second, token);
    expect(late).toEqual({ ok: false, reason: "hold-taken" });
    expect(await balanceCents(database.db, second)).toBe(10_000);
  });

  test("for nothing by who has a free first session left", async () => {
    const { gameId, token } = await aHold({ is_first_session_free: true });
    const friend = await aPlayer(database.db);
    await holds.take(gameId, friend, token);
    expect(await bookingOf(database.db, gameId, friend)).toMatchObject({ uses_free_session: true });
  });

  test("once by a form that is sent twice", async () => {
    const { gameId, token: holdToken } = await aHold();
    const friend = await ada(database.db);
    const formKey = crypto.randomUUID();
    const join = { gameId, playerId: friend, holdToken, formKey, now: NOW };
    const first = await joinGame(database.db, database.jobs, join);
    expect(first).toEqual({ ok: true, bookingId: formKey, priceCents: 1_000 });
    expect(await joinGame(database.db, database.jobs, join)).toEqual(first);
  });

  test("before those who wait, and ends the friend's own place among them", async () => {
    const { gameId, token } = await aHold();
    await list.waiters(gameId, 1);
    const friend = await ada(database.db);
    await list.wait(gameId, friend, { now: hoursLater(0.1) });
    await holds.take(gameId, friend, token);
    expect(await entryOf(database.db, gameId, friend)).toMatchObject({ status: "Promoted" });
  });

  test("by one who was offered another spot, which goes to the next", async () => {
    const { gameId, host } = await holds.aGameWithAHost({ spots: 3 });
    const other = await list.join(gameId, await ada(database.db));
    const token = await holds.hold(gameId, host);
    const friend = await ada(database.db);
    await list.wait(gameId, friend, { mode: "ask" });
    await list.cancel(other);
    await list.promote(gameId);
    const [next] = await list.waiters(gameId, 1);
    expect(await heldCount(database.db, gameId)).toBe(2);
    const asked = await promotionsOf(database, gameId);
    await holds.take(gameId, friend, token);
    expect(await heldCount(database.db, gameId)).toBe(0);
    expect(await promotionsOf(database, gameId)).toBe(asked + 1);
    expect(await list.promote(gameId)).toBe(1);
    expect(await entryOf(database.db, gameId, next!)).toMatchObject({ status: "Promoted" });
  });

  test("and settles what was given back late, like every join", async () => {
    const { gameId, host } = await holds.aGameWithAHost({ startsIn: 20 });
    const late = await list.join(gameId, await ada(database.db));
    await list.cancel(late);
    const token = await holds.hold(gameId, host);
    await holds.take(gameId, await ada(database.db), token);
    expect(await balanceCents(database.db, late.playerId)).toBe(9_901);
  });
});

describe("a held spot is not taken", () => {
  async function expectStillHeld(game: { gameId: string; token: string }, friend: string) {
    const { gameId, token } = game;
    const result = await holds.tryTake(gameId, friend, token);
    expect(await holdStatuses(database.db, gameId)).toEqual(["Held"]);
    expect(await heldCount(database.db, gameId)).toBe(1);
    return result.ok ? "taken" : result.reason;
  }

  test("by its holder, or by a player who is in already", async () => {
    const game = await aHold({ spots: 3 });
    const friend = await ada(database.db);
    await list.join(game.gameId, friend);
    expect(await expectStillHeld(game, game.host)).toBe("already-joined");
    expect(await expectStillHeld(game, friend)).toBe("already-joined");
  });

  test("by somebody with too few credits, or suspended", async () => {
    const game = await aHold();
    expect(await expectStillHeld(game, await aPlayer(database.db))).toBe("not-enough-credits");
    const friend = await ada(database.db);
    await suspend(database.db, friend);
    expect(await expectStillHeld(game, friend)).toBe("suspended");
  });

  test("by somebody who is in another game then and was not asked", async () => {
    const { gameId, token } = await aHold();
    const friend = await ada(database.db);
    await list.join(await aGame(database.db), friend);
    const join = { gameId, playerId: friend, holdToken: token, asksOfOtherGame: true, now: NOW };
    const asked = await joinGame(database.db, database.jobs, join);
    expect(asked).toMatchObject({ ok: false, reason: "plays-meanwhile" });
    await holds.take(gameId, friend, token);
  });

  test.each([
    ["after its time, before any sweep", hoursLater(0.5), async () => {}],
    [
      "once it was given back",
      NOW,
      ({ gameId, host }: { gameId: string; host: string }) => holds.giveBack(gameId, host),
    ],
  ])("%s, though a spot is free", async (_, now, happens) => {
    const { gameId, host, token } = await aHold();
    await happens({ gameId, host });
    const friend = await ada(database.db);
    const late = await holds.tryTake(gameId, friend, token, now);
    expect(late).toEqual({ ok: false, reason: "hold-over" });
    await list.join(gameId, friend, now);
  });

  test("in another game, or with a token that nobody has made", async () => {
    const { token } = await aHold();
    const other = await aGame(database.db);
    const friend = await ada(database.db);
    for (const unknown of [token, "x".repeat(22)]) {
      const result = await holds.tryTake(other, friend, unknown);
      expect(result).toEqual({ ok: false, reason: "hold-over" });
    }
  });
});

describe("a held spot is free again when its holder", () => {
  const SEAT = { reason: "Left", now: NOW };
  const leave = (playerId: string) =>
    database.db.transaction().execute(async (tx) => {
      const leaver = { ...SEAT, playerId };
      return leaveGames(tx, database.jobs, leaver, await lockSeatsOf(tx, leaver));
    });

  test.each([
    ["leaves", (g: Game) => cancelBooking(database.db, database.jobs, { ...g, now: NOW })],
    ["deletes the account", ({ playerId }: Game) => leave(playerId)],
    [
      "is removed",
      (g: Game) =>
        removePlayer(database.db, database.jobs, {
          ...{ ...g, actorId: g.playerId },
          ...{ withRefund: true, now: NOW },
        }),
    ],
  ])("%s, and both go to those who wait", async (_, end) => {
    const { gameId, host, bookingId, token } = await aHold();
    const [first, second] = await list.waiters(gameId, 2);
    await end({ gameId, playerId: host, bookingId });
    expect(await holdStatuses(database.db, gameId)).toEqual(["Lapsed"]);
    expect(await list.promote(gameId)).toBe(2);
    for (const id of [first!, second!]) {
      expect(await entryOf(database.db, gameId, id)).toMatchObject({ status: "Promoted" });
    }
    const late = await holds.tryTake(gameId, await ada(database.db), token);
    expect(late).toEqual({ ok: false, reason: "hold-over" });
  });

  test("has the game called off", async () => {
    const { gameId, token } = await aHold();
    await cancelGame(database.db, database.jobs, { gameId, now: NOW });
    expect(await holdStatuses(database.db, gameId)).toEqual(["Lapsed"]);
    expect(await heldCount(database.db, gameId)).toBe(0);
    const late = await holds.tryTake(gameId, await ada(database.db), token);
    expect(late).toEqual({ ok: false, reason: "not-published" });
  });
});

interface Game {
  gameId: string;
  playerId: string;
  bookingId: string;
}

test("holds are kept until a month after the game, and live ones always", async () => {
  const { gameId, host, token } = await aHold({ spots: 4 });
  await holds.take(gameId, await ada(database.db), token);
  await holds.hold(gameId, host);
  const { rows } = await database.pool.query<{ ends: Date }>(
    "select ends_at as ends from games where id = $1",
    [gameId],
  );
  const monthAfter = new Date(rows[0]!.ends.getTime() + 30 * 86_400_000);
  await purgeHolds(database.db, monthAfter);
  expect((await holdStatuses(database.db, gameId)).toSorted()).toEqual(["Held", "Taken"]);
  await purgeHolds(database.db, new Date(monthAfter.getTime() + 1));
  expect(await holdStatuses(database.db, gameId)).toEqual(["Held"]);
});

test("a hold that ended by the booking of another game, or of its holder, is reported", async () => {
  const { gameId, host, bookingId, token } = await aHold();
  const friends = await holds.take(gameId, await ada(database.db), token);
  const [hold] = await holdsIn(database.db, gameId);
  const id = hold!.id;
  const elsewhere = await list.join(await aGame(database.db), host);
  const point = (to: string) =>
    database.pool.query("update friend_holds set booking_id = $1 where id = $2", [to, id]);
  for (const wrong of [bookingId, elsewhere.bookingId]) {
    await point(wrong);
    const { differences } = await checkBooks(database.db);
    expect(differences).toEqual([`hold ${id} for a friend: it ended by booking ${wrong}`]);
  }
  await point(friends);
});
