import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, ben, hoursLater, NOW } from "#test/fixtures.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { listFormerPlayers } from "./former-players.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { removePlayer } from "./roster.server.ts";

const database = useDatabase();

async function seatIn(gameId: string, now = NOW) {
  const playerId = await ada(database.db);
  const joined = await joinGame(database.db, database.jobs, { gameId, playerId, now });
  if (!joined.ok) throw new Error(joined.reason);
  return { gameId, playerId, bookingId: joined.bookingId };
}

test("who cancelled, when, why and what came back is listed, with who took a player off", async () => {
  const { db, jobs } = database;
  const [gameId, actorId] = [await aGame(db, { startsIn: 30, spots: 3 }), await ben(db)];
  const early = await seatIn(gameId);
  const late = await seatIn(gameId);
  const removed = await seatIn(gameId);
  await cancelBooking(db, jobs, { ...early, reason: "Injured my knee", now: NOW });
  await cancelBooking(db, jobs, { ...late, now: hoursLater(10) });
  await removePlayer(db, jobs, { ...removed, actorId, withRefund: true, now: hoursLater(11) });
  expect(await listFormerPlayers(db, gameId)).toMatchObject([
    {
      ...{ bookingId: early.bookingId, endReason: "Left", endedAt: NOW },
      ...{ reason: "Injured my knee", creditsBackCents: 901, lateRefundCents: 0 },
    },
    {
      ...{ bookingId: late.bookingId, endReason: "Left", endedAt: hoursLater(10) },
      ...{ reason: null, creditsBackCents: 0, lateRefundCents: 901 },
    },
    { bookingId: removed.bookingId, endReason: "Removed", creditsBackCents: 1_000 },
  ]);
});

test("a refund that was settled later counts, and players of a cancelled game stay listed", async () => {
  const { db, jobs } = database;
  const gameId = await aGame(db, { startsIn: 30, spots: 1 });
  const late = await seatIn(gameId);
  await cancelBooking(db, jobs, { ...late, now: hoursLater(10) });
  const next = await seatIn(gameId, hoursLater(11));
  await cancelGame(db, jobs, { gameId, now: hoursLater(12) });
  expect(await listFormerPlayers(db, gameId)).toMatchObject([
    { bookingId: late.bookingId, creditsBackCents: 901, paymentStatus: "Refunded" },
    { bookingId: next.bookingId, creditsBackCents: 1_000, endReason: "GameCancelled" },
  ]);
});

test("nobody is listed for a game that is none", async () => {
  expect(await listFormerPlayers(database.db, "x")).toEqual([]);
});
