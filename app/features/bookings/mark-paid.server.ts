import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { numericFromCents } from "#app/platform/money.ts";
import { lockSeat, type SeatKey } from "./lock-seat.server.ts";
import { takesPlace } from "./sheet-rules.ts";

export type PaidAnswer = { ok: true } | { ok: false; reason: "not-found" | "gone" | "not-on" };

/**
 * Notes that an Unpaid booking was paid otherwise, such as in cash. No credits are taken, and so
 * its price in credits becomes 0: what was not paid in credits is never given back in credits. A
 * repeat changes nothing.
 */
export async function markPaid(
  db: Db,
  payment: SeatKey & { actorId: string },
): Promise<PaidAnswer> {
  const { bookingId, actorId } = payment;
  return db.transaction().execute(async (tx) => {
    const found = await lockSeat(tx, payment);
    if (!found) return { ok: false, reason: "not-found" };
    const { game, seat } = found;
    if (!takesPlace(game)) return { ok: false, reason: "not-on" };
    if (!seat.isLive) return { ok: false, reason: "gone" };
    if (seat.paymentStatus === "Paid") return { ok: true };
    const after = { payment_status: "Paid", price_eur: "0.00" } as const;
    await tx.updateTable("bookings").set(after).where("id", "=", bookingId).execute();
    const before = { payment_status: "Unpaid", price_eur: numericFromCents(seat.priceCents) };
    const details = { gameId: game.id, playerId: seat.playerId, before, after };
    await recordDeed(tx, {
      actor: actorId,
      action: "booking.mark-paid",
      subject: bookingId,
      details,
    });
    return { ok: true };
  });
}
