import { listAuditOfForm, recordDeed } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { refund } from "#app/features/wallet/ledger.server.ts";
import { lockSeat, type SeatKey } from "./lock-seat.server.ts";
import { takesPlace } from "./sheet-rules.ts";

interface Removal extends SeatKey {
  actorId: string;
  withRefund: boolean;
  /** Of the form: one that arrives twice is answered as at first. */
  formKey?: string | undefined;
  now: Date;
}

export type RemoveAnswer =
  | { ok: true; refundCents: number }
  /** "gone": the booking was cancelled before, and nothing is changed. */
  | { ok: false; reason: "not-found" | "gone" | "not-on" };

/**
 * Takes a player out of a game, with the full price back or with nothing, whatever the hour. With a
 * refund a free session counts as unused again. The deed is recorded and the player told, all in
 * one transaction; a repeat refunds nothing.
 */
export async function removePlayer(db: Db, jobs: Jobs, removal: Removal): Promise<RemoveAnswer> {
  const { bookingId, actorId } = removal;
  return db.transaction().execute(async (tx) => {
    const found = await lockSeat(tx, removal);
    if (!found) return { ok: false, reason: "not-found" };
    const { game, seat } = found;
    if (!seat.isLive) return (await findRemoved(tx, removal)) ?? { ok: false, reason: "gone" };
    if (!takesPlace(game)) return { ok: false, reason: "not-on" };
    const isOwed = removal.withRefund && seat.paymentStatus === "Paid";
    const refundCents = isOwed ? seat.priceCents : 0;
    const after = await giveUp(tx, removal, { ...seat, refundCents });
    const before = { paymentStatus: seat.paymentStatus };
    const { formKey } = removal;
    const details = { gameId: game.id, playerId: seat.playerId, before, after, formKey };
    await recordDeed(tx, { actor: actorId, action: "booking.remove", subject: bookingId, details });
    await jobs.enqueue(tx, "mail.removed-from-game", { bookingId });
    return { ok: true, refundCents };
  });
}

/** What the same form was answered before; null where it has not removed this player. */
async function findRemoved(tx: Tx, { bookingId, formKey }: Removal): Promise<RemoveAnswer | null> {
  const entry = { action: "booking.remove", subject: bookingId, formKey };
  const [details] = await listAuditOfForm(tx, entry);
  const after = details?.after as { refundCents: number } | undefined;
  return after ? { ok: true, refundCents: after.refundCents } : null;
}

interface Seat {
  playerId: string;
  usesFreeSession: boolean;
  refundCents: number;
}

/** The wallet before the booking, as everywhere. Answers what the booking has become. */
async function giveUp(tx: Tx, { bookingId, withRefund, now }: Removal, seat: Seat) {
  const { playerId: userId, refundCents } = seat;
  if (refundCents > 0) {
    const notes = "The organiser took you off the list";
    const entry = { userId, amountCents: refundCents, bookingId, notes };
    await refund(tx, { ...entry, businessKey: `refund:${bookingId}` }, now);
  }
  const paymentStatus = refundCents > 0 ? ("Refunded" as const) : ("Cancelled" as const);
  await tx
    .updateTable("bookings")
    .set({
      payment_status: paymentStatus,
      uses_free_session: seat.usesFreeSession && !withRefund,
      cancelled_at: now,
    })
    .where("id", "=", bookingId)
    .execute();
  return { paymentStatus, refundCents };
}
