import { expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import { ada, aGame, balanceCents, ben, bookingsOf, NOW } from "#test/fixtures.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { cancelGame } from "#app/features/organise/cancel-game.server.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";

const { db, jobs } = fromDatabase();
const freeGame = () => aGame(db(), { is_first_session_free: true });
const join = (gameId: string, playerId: string, price?: string) =>
  joinGame(db(), jobs(), {
    gameId,
    playerId,
    now: NOW,
    ...(price !== undefined && { shown: { price } }),
  });

function fromDatabase() {
  const database = useDatabase(20);
  return { db: () => database.db, jobs: () => database.jobs };
}

async function joined(gameId: string, playerId: string): Promise<string> {
  const result = await join(gameId, playerId);
  if (!result.ok) throw new Error(result.reason);
  return result.bookingId;
}

test("the first session is free, also without credits, and moves no credits", async () => {
  const [gameId, playerId] = [await freeGame(), await ben(db())];
  expect(await join(gameId, playerId, "0")).toMatchObject({ ok: true, priceCents: 0 });
  const [booking] = await bookingsOf(db(), gameId);
  expect(booking).toMatchObject({
    payment_status: "Paid",
    price_eur: "0.00",
    uses_free_session: true,
  });
  const entries = db().selectFrom("wallet_transactions").select("id");
  expect(await entries.where("user_id", "=", playerId).execute()).toEqual([]);
});

test("the second session costs 10, and a stale price of 0 is rejected", async () => {
  const playerId = await ada(db());
  await joined(await freeGame(), playerId);
  const second = await freeGame();
  expect(await join(second, playerId, "0")).toEqual({
    ok: false,
    reason: "changed",
    newFacts: "The price is now 10 credits.",
  });
  expect(await join(second, playerId, "10")).toMatchObject({ ok: true, priceCents: 1_000 });
  expect(await balanceCents(db(), playerId)).toBe(9_000);
});

test("an earlier paid game does not use up the free session", async () => {
  const playerId = await ada(db());
  await joined(await aGame(db()), playerId);
  expect(await join(await freeGame(), playerId)).toMatchObject({ ok: true, priceCents: 0 });
});

// spec: 9.18
test("a free session cancelled by the player is used up without refund", async () => {
  const [gameId, playerId] = [await freeGame(), await ada(db())];
  const bookingId = await joined(gameId, playerId);
  const result = await cancelBooking(db(), jobs(), { bookingId, playerId, now: NOW });
  expect(result).toMatchObject({ ok: true, creditsBackCents: 0 });
  const [booking] = await bookingsOf(db(), gameId);
  expect(booking).toMatchObject({ payment_status: "Cancelled", uses_free_session: true });
  expect(await join(gameId, playerId)).toMatchObject({ ok: true, priceCents: 1_000 });
});

test("a free session cancelled by the organiser is given back", async () => {
  const [gameId, playerId] = [await freeGame(), await ben(db())];
  await joined(gameId, playerId);
  await cancelGame(db(), jobs(), { gameId, now: NOW });
  const [booking] = await bookingsOf(db(), gameId);
  expect(booking).toMatchObject({ payment_status: "Cancelled", uses_free_session: false });
  expect(await join(await freeGame(), playerId)).toMatchObject({ ok: true, priceCents: 0 });
});

test("after the player cancelled, the organiser's cancellation gives nothing back", async () => {
  const [gameId, playerId] = [await freeGame(), await ben(db())];
  const bookingId = await joined(gameId, playerId);
  await cancelBooking(db(), jobs(), { bookingId, playerId, now: NOW });
  await cancelGame(db(), jobs(), { gameId, now: NOW });
  expect(await join(await freeGame(), playerId)).toMatchObject({ reason: "not-enough-credits" });
});

test("of two concurrent joins one is free, the other fails with its actual price", async () => {
  for (let round = 0; round < 10; round += 1) {
    const playerId = await ada(db());
    const games = [await freeGame(), await freeGame(), await freeGame()];
    const results = await Promise.all(games.map((gameId) => join(gameId, playerId, "0")));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    for (const result of results.filter(({ ok }) => !ok)) {
      expect(result).toEqual({
        ok: false,
        reason: "changed",
        newFacts: "The price is now 10 credits.",
      });
    }
    expect(await balanceCents(db(), playerId)).toBe(10_000);
  }
  expect((await checkBooks(db())).differences).toEqual([]);
});
