import type { Db } from "#app/platform/db.server.ts";
import { hasStarted } from "#app/features/games/rules.ts";
import { findPaymentOf, UNDONE, type Undone } from "./cash-payments.server.ts";
import { changeSeat, type SeatKey } from "./roster.server.ts";
import { isLive } from "#app/features/seats/rules.ts";
import { takesPlace } from "./rules.ts";

interface Collecting extends SeatKey {
  isCollected: boolean;
  actorId: string;
  now: Date;
}

type CollectResult =
  | { ok: true }
  | { ok: false; reason: "not-found" | "gone" | "not-on" | "not-unpaid" | "not-started" };

/** Expects an Unpaid booking, from kick-off: before it nobody is late. A repeat changes nothing. */
export function setCollected(db: Db, collecting: Collecting): Promise<CollectResult> {
  const { gameId, bookingId, isCollected, now } = collecting;
  const action = isCollected ? "booking.collected" : "booking.not-collected";
  return changeSeat<CollectResult>(db, { ...collecting, action }, async (tx, { game, seat }) => {
    if (!takesPlace(game)) return "not-on";
    if (!isLive(seat.paymentStatus)) return "gone";
    if (seat.paymentStatus === "Paid") return "not-unpaid";
    if (seat.isCollected === isCollected) return { ok: true };
    if (!hasStarted(game, now)) return "not-started";
    const columns = { not_collected_at: isCollected ? null : now };
    await tx.updateTable("bookings").set(columns).where("id", "=", bookingId).execute();
    const change = { before: { isCollected: !isCollected }, after: { isCollected } };
    return { ok: true, event: { details: { gameId, playerId: seat.playerId, ...change } } };
  });
}

interface Keeping extends SeatKey {
  cashPaymentId: string;
  isKept: boolean;
  actorId: string;
  now: Date;
}

type KeepResult = { ok: true } | { ok: false; reason: "not-found" | "still-in" | Undone };

/** What somebody paid by hand who is no longer in. A repeat changes nothing. */
export function setKept(db: Db, keeping: Keeping): Promise<KeepResult> {
  const { gameId, cashPaymentId: id, isKept, now } = keeping;
  const action = isKept ? "booking.cash-kept" : "booking.cash-due";
  return changeSeat<KeepResult>(db, { ...keeping, action }, async (tx, { seat }) => {
    const payment = await findPaymentOf(tx, keeping);
    if (!payment) return "not-found";
    if (payment.undone_kind) return UNDONE[payment.undone_kind];
    if (isLive(seat.paymentStatus)) return "still-in";
    if ((payment.kept_at !== null) === isKept) return { ok: true };
    const columns = { kept_at: isKept ? now : null };
    await tx.updateTable("cash_payments").set(columns).where("id", "=", id).execute();
    const { amount_eur, method } = payment;
    const change = { before: { isKept: !isKept, amount_eur, method }, after: { isKept } };
    return { ok: true, event: { details: { gameId, playerId: seat.playerId, ...change } } };
  });
}
