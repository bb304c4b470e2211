import { afterEach, expect, test } from "vitest";
import { expectRightBooks } from "#test/books.ts";
import { useDatabase } from "#test/db.ts";
import { withoutTimeouts } from "#test/no-timeouts.ts";
import { withoutLocks } from "#test/disable-locks.ts";
import { ada, aGame, balanceCents, ben, bookingsOf, NOW } from "#test/fixtures.ts";
import type { Db } from "#app/platform/db.server.ts";
import { suspendAccount } from "#app/features/accounts/account-status.server.ts";
import { findViewerGames } from "#app/features/bookings/bookings.server.ts";
import { cancelBooking } from "#app/features/bookings/cancel-booking.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { removePlayer } from "./roster.server.ts";

const database = useDatabase(20);
withoutTimeouts(database);
afterEach(() => expectRightBooks(database));

async function aSeat(wish: Parameters<typeof aGame>[1] = {}) {
  const [gameId, playerId] = [await aGame(database.db, wish), await ada(database.db)];
  const joined = await joinGame(database.db, database.jobs, { gameId, playerId, now: NOW });
  if (!joined.ok) throw new Error(joined.reason);
  const actorId = await ben(database.db);
  const { bookingId } = joined;
  const removeSeat = (withRefund: boolean, db: Db = database.db) =>
    removePlayer(db, database.jobs, { gameId, bookingId, actorId, withRefund, now: NOW });
  return { gameId, playerId, bookingId, removeSeat };
}

test("a suspended player keeps the seat, and an organiser can remove them", async () => {
  const { gameId, playerId, removeSeat } = await aSeat();
  const suspension = { userId: playerId, reason: "Fights", actor: await ben(database.db) };
  expect(await suspendAccount(database.db, database.jobs, suspension, NOW)).toEqual({ ok: true });
  expect(await bookingsOf(database.db, gameId)).toMatchObject([{ payment_status: "Paid" }]);
  const result = { ok: true, creditsBackCents: 1_000, isFreeSessionBack: false };
  expect(await removeSeat(true)).toEqual(result);
  expect(await balanceCents(database.db, playerId)).toBe(10_000);
});

test.each([
  [true, 1_000, "Refunded", 10_000],
  [false, 0, "Cancelled", 9_000],
] as const)("with a refund: %s", async (withRefund, creditsBackCents, status, balance) => {
  // Too late for the player's own refund.
  const { gameId, playerId, bookingId, removeSeat } = await aSeat({ startsIn: 2 });
  const back = { creditsBackCents, isFreeSessionBack: false };
  expect(await removeSeat(withRefund)).toEqual({ ok: true, ...back });
  const [booking] = await bookingsOf(database.db, gameId);
  expect(booking).toMatchObject({ payment_status: status, cancelled_at: NOW });
  expect(await balanceCents(database.db, playerId)).toBe(balance);
  const game = database.db.selectFrom("games").select("seats_taken").where("id", "=", gameId);
  expect(await game.executeTakeFirst()).toEqual({ seats_taken: 0 });
  const { rows } = await database.pool.query(
    "select count(*) from pgboss.job where name = 'mail.send' and data->>'kind' = 'removed-from-game' and data->>'bookingId' = $1",
    [bookingId],
  );
  expect(rows[0].count).toBe(1);
  const attempts = database.db.selectFrom("audit_log").select(["action", "details"]);
  expect(await attempts.where("subject", "=", bookingId).execute()).toEqual([
    {
      action: "booking.remove",
      details: {
        gameId,
        playerId,
        before: { paymentStatus: "Paid" },
        after: {
          paymentStatus: status,
          refundCents: creditsBackCents,
          isFreeSessionBack: false,
        },
      },
    },
  ]);
  expect(await removeSeat(true)).toEqual({ ok: false, reason: "gone" });
});

test("a free session is free again with a refund, and used without", async () => {
  for (const withRefund of [true, false]) {
    const { playerId, removeSeat } = await aSeat({ is_first_session_free: true });
    const back = { creditsBackCents: 0, isFreeSessionBack: withRefund };
    expect(await removeSeat(withRefund)).toEqual({ ok: true, ...back });
    const { hasUsedFreeSession } = await findViewerGames(database.db, { playerId, now: NOW });
    expect(hasUsedFreeSession).toBe(!withRefund);
  }
});

test("another game's booking and an unknown game are not found", async () => {
  const { bookingId, playerId } = await aSeat();
  const removal = { bookingId, actorId: playerId, withRefund: true, now: NOW };
  for (const gameId of [await aGame(database.db), crypto.randomUUID(), "x"]) {
    const result = await removePlayer(database.db, database.jobs, { ...removal, gameId });
    expect(result).toEqual({ ok: false, reason: "not-found" });
  }
});

/** Removed and cancelled by the player, several times at once. */
async function crowd(db: Db) {
  const { playerId, bookingId, removeSeat } = await aSeat();
  const cancel = () =>
    cancelBooking(db, database.jobs, { playerId, bookingId, now: NOW }).then(({ ok }) => ok);
  const entries = [
    cancel(),
    removeSeat(true, db).then(({ ok }) => ok),
    cancel(),
    removeSeat(true, db),
  ];
  const results = await Promise.allSettled(entries);
  return { playerId, results };
}

test("removed while the player cancels: refunded once", async () => {
  for (let round = 0; round < 10; round += 1) {
    const { playerId, results } = await crowd(database.db);
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
    expect([9_901, 10_000]).toContain(await balanceCents(database.db, playerId));
  }
});

test("without the lock the ledger's own last line has to answer", async () => {
  const unlocked = database.db.withPlugin(withoutLocks);
  for (let round = 0; round < 200; round += 1) {
    const { results } = await crowd(unlocked);
    const errors = results.flatMap((result) =>
      result.status === "rejected" ? [(result.reason as { constraint?: string }).constraint] : [],
    );
    if (errors.includes("wallet_transactions_business_key_key")) return;
  }
  expect.fail("the property held in 200 rounds without its guard");
});
