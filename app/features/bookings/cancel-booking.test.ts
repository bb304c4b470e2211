import { describe, expect, test } from "vitest";
import { useDatabase } from "#test/db.ts";
import {
  ada,
  aGame,
  balanceCents,
  bookingsOf,
  everything,
  hoursLater,
  NOW,
} from "#test/fixtures.ts";
import { cancelBooking } from "./cancel-booking.server.ts";
import { checkBooks } from "#app/features/reports/check-books.server.ts";
import { joinGame } from "./join-game.server.ts";

const database = useDatabase();
const cancel = (bookingId: string, playerId: string, now = NOW, reason = "") =>
  cancelBooking(database.db, database.jobs, { bookingId, playerId, now, reason });

/** Ada in a game that starts after so many hours. */
async function aBooking(startsIn = 48) {
  const [gameId, playerId] = [await aGame(database.db, { startsIn }), await ada(database.db)];
  const result = await joinGame(database.db, database.jobs, { gameId, playerId, now: NOW });
  if (!result.ok) throw new Error(result.reason);
  return { gameId, playerId, bookingId: result.bookingId };
}
const secondsFrom = (hours: number, seconds: number) =>
  new Date(hoursLater(hours).getTime() + seconds * 1_000);

describe("the refund", () => {
  test.each([
    ["a second before the deadline", secondsFrom(24, -1), 901, "Refunded"],
    ["exactly 24 hours before", hoursLater(24), 901, "Refunded"],
    ["a second later", secondsFrom(24, 1), 0, "Cancelled"],
    ["a second before kick-off", secondsFrom(48, -1), 0, "Cancelled"],
  ])("%s", async (_, now, creditsBackCents, status) => {
    const { gameId, playerId, bookingId } = await aBooking(48);
    expect(await cancel(bookingId, playerId, now, "Ill")).toMatchObject({ creditsBackCents });
    const [booking] = await bookingsOf(database.db, gameId);
    expect(booking).toMatchObject({
      payment_status: status,
      cancelled_at: now,
      cancel_reason: "Ill",
    });
    expect(await balanceCents(database.db, playerId)).toBe(9_000 + creditsBackCents);
    const game = database.db.selectFrom("games").select("seats_taken").where("id", "=", gameId);
    expect(await game.executeTakeFirst()).toEqual({ seats_taken: 0 });
    const mails = await database.pool.query(
      "select from pgboss.job where name = 'mail.send' and data->>'kind' = 'booking-cancelled' and data->>'bookingId' = $1",
      [bookingId],
    );
    expect(mails.rowCount).toBe(1);
    expect((await checkBooks(database.db)).differences).toEqual([]);
  });

  test("the terms as sold count, even after the rule changed", async () => {
    const { playerId, bookingId } = await aBooking(48);
    const sold = { price_eur: "12.00", refund_hours: 2, refund_fee_eur: "3.50" };
    await database.db.updateTable("bookings").set(sold).where("id", "=", bookingId).execute();
    const result = await cancel(bookingId, playerId, hoursLater(46));
    expect(result).toMatchObject({ ok: true, creditsBackCents: 850 });
  });

  test("a fee as high as the price leaves no refund", async () => {
    const { gameId, playerId, bookingId } = await aBooking();
    const sold = { refund_fee_eur: "10.00" };
    await database.db.updateTable("bookings").set(sold).where("id", "=", bookingId).execute();
    expect(await cancel(bookingId, playerId)).toMatchObject({ ok: true, creditsBackCents: 0 });
    expect((await bookingsOf(database.db, gameId))[0]?.payment_status).toBe("Cancelled");
  });

  // spec: 9.16
  test("a kick-off moved by SQL moves the deadline", async () => {
    const { gameId, playerId, bookingId } = await aBooking(20);
    const later = { date: "2026-11-25" };
    await database.db.updateTable("games").set(later).where("id", "=", gameId).execute();
    expect(await cancel(bookingId, playerId)).toMatchObject({ ok: true, creditsBackCents: 901 });
  });
});

describe("errors change nothing", () => {
  async function failed(action: () => ReturnType<typeof cancel>) {
    const before = await everything(database.db);
    const result = await action();
    expect(await everything(database.db)).toEqual(before);
    return result.ok || result.reason;
  }

  // spec: 7.34
  test("somebody else's booking does not exist", async () => {
    const { bookingId } = await aBooking();
    const other = await ada(database.db);
    expect(await failed(() => cancel(bookingId, other))).toBe("not-found");
  });

  test.each(["", "1", "x".repeat(5_000), `${crypto.randomUUID()}\0`, crypto.randomUUID()])(
    "an id that is none (%#)",
    async (bookingId) => {
      const playerId = await ada(database.db);
      expect(await failed(() => cancel(bookingId, playerId))).toBe("not-found");
    },
  );

  test.each([
    ["at kick-off", hoursLater(48)],
    ["a second after", secondsFrom(48, 1)],
  ])("%s", async (_, now) => {
    const { playerId, bookingId } = await aBooking(48);
    expect(await failed(() => cancel(bookingId, playerId, now))).toBe("not-cancellable");
  });

  test.each([
    ["Unpaid", "not-cancellable"],
    ["Refunded", "already-cancelled"],
    ["Cancelled", "already-cancelled"],
  ] as const)("%s", async (payment_status, reason) => {
    const { playerId, bookingId } = await aBooking();
    await database.db
      .updateTable("bookings")
      .set({ payment_status })
      .where("id", "=", bookingId)
      .execute();
    expect(await failed(() => cancel(bookingId, playerId))).toBe(reason);
  });

  test.each([NOW, hoursLater(48)])("a second time (%#)", async (now) => {
    const { playerId, bookingId } = await aBooking();
    await cancel(bookingId, playerId);
    expect(await failed(() => cancel(bookingId, playerId, now))).toBe("already-cancelled");
  });
});
