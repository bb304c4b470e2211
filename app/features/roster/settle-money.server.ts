import { recordAudit } from "#app/platform/audit.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { tellWatchers } from "#app/features/games/live-games.server.ts";
import { hasStarted } from "#app/features/games/rules.ts";
import { findPayment, UNDONE, type Undone } from "./cash-payments.server.ts";
import { lockSeat, type SeatKey } from "./roster.server.ts";
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

/** Of an Unpaid booking, from kick-off: before it nobody is late. A repeat changes nothing. */
export async function setCollected(db: Db, collecting: Collecting): Promise<CollectResult> {
  const { gameId, bookingId, isCollected, actorId, now } = collecting;
  return db.transaction().execute(async (tx) => {
    const found = await lockSeat(tx, collecting);
    if (!found) return { ok: false, reason: "not-found" };
    const { game, seat } = found;
    if (!takesPlace(game)) return { ok: false, reason: "not-on" };
    if (!isLive(seat.paymentStatus)) return { ok: false, reason: "gone" };
    if (seat.paymentStatus === "Paid") return { ok: false, reason: "not-unpaid" };
    if (seat.isCollected === isCollected) return { ok: true };
    if (!hasStarted(game, now)) return { ok: false, reason: "not-started" };
    const columns = { not_collected_at: isCollected ? null : now };
    await tx.updateTable("bookings").set(columns).where("id", "=", bookingId).execute();
    const change = { before: { isCollected: !isCollected }, after: { isCollected } };
    const details = { gameId, playerId: seat.playerId, ...change };
    const action = isCollected ? "booking.collected" : "booking.not-collected";
    await recordAudit(tx, { actor: actorId, action, subject: bookingId, details });
    await tellWatchers(tx, gameId);
    return { ok: true };
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
export async function setKept(db: Db, keeping: Keeping): Promise<KeepResult> {
  const { gameId, bookingId, cashPaymentId: id, isKept, actorId, now } = keeping;
  return db.transaction().execute(async (tx) => {
    const found = isId(id) ? await lockSeat(tx, keeping) : null;
    const payment = found && (await findPayment(tx, id));
    if (!payment || payment.booking_id !== bookingId) return { ok: false, reason: "not-found" };
    if (payment.undone_kind) return { ok: false, reason: UNDONE[payment.undone_kind] };
    if (isLive(found.seat.paymentStatus)) return { ok: false, reason: "still-in" };
    if ((payment.kept_at !== null) === isKept) return { ok: true };
    const columns = { kept_at: isKept ? now : null };
    await tx.updateTable("cash_payments").set(columns).where("id", "=", id).execute();
    const { amount_eur, method } = payment;
    const before = { isKept: !isKept, amount_eur, method };
    const details = { gameId, playerId: found.seat.playerId, before, after: { isKept } };
    const action = isKept ? "booking.cash-kept" : "booking.cash-due";
    await recordAudit(tx, { actor: actorId, action, subject: bookingId, details });
    await tellWatchers(tx, gameId);
    return { ok: true };
  });
}
