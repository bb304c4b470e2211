import { listAuditOfForm, recordDeed } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { refund } from "#app/features/wallet/ledger.server.ts";
import { lockSeat, type SeatKey } from "./roster.server.ts";
import { isLive, refundOfRemoval, statusAfterRefund, takesPlace } from "./rules.ts";

interface Removal extends SeatKey {
  actorId: string;
  withRefund: boolean;
  /** A form that is sent twice gets the first result again. */
  formKey?: string | undefined;
  now: Date;
}

type RemoveResult =
  | { ok: true; refundCents: number }
  /** "gone": the booking was cancelled before, and nothing is changed. */
  | { ok: false; reason: "not-found" | "gone" | "not-on" };

/**
 * Takes a player out of a game, with the full price back or with nothing, whatever the hour. Audit
 * entry and mail are in the same transaction; a repeat refunds nothing.
 */
export async function removePlayer(db: Db, jobs: Jobs, removal: Removal): Promise<RemoveResult> {
  const { bookingId, actorId, withRefund, formKey } = removal;
  return db.transaction().execute(async (tx) => {
    const found = await lockSeat(tx, removal);
    if (!found) return { ok: false, reason: "not-found" };
    const { game, seat } = found;
    const { playerId, paymentStatus } = seat;
    if (!isLive(paymentStatus)) {
      return (await findRemoved(tx, removal)) ?? { ok: false, reason: "gone" };
    }
    if (!takesPlace(game)) return { ok: false, reason: "not-on" };
    const { cents: refundCents, usesFreeSession } = refundOfRemoval(seat, withRefund);
    const after = { paymentStatus: statusAfterRefund(refundCents), refundCents };
    await giveUp(tx, removal, { playerId, usesFreeSession, ...after });
    const details = { gameId: game.id, playerId, before: { paymentStatus }, after, formKey };
    await recordDeed(tx, { actor: actorId, action: "booking.remove", subject: bookingId, details });
    await jobs.enqueue(tx, "mail.removed-from-game", { bookingId });
    return { ok: true, refundCents };
  });
}

/** The first result of the same form; null where it has not removed this player. */
async function findRemoved(tx: Tx, { bookingId, formKey }: Removal): Promise<RemoveResult | null> {
  const entry = { action: "booking.remove", subject: bookingId, formKey };
  const [details] = await listAuditOfForm(tx, entry);
  const after = details?.after as { refundCents: number } | undefined;
  return after ? { ok: true, refundCents: after.refundCents } : null;
}

interface RemovedSeat {
  playerId: string;
  usesFreeSession: boolean;
  paymentStatus: "Refunded" | "Cancelled";
  refundCents: number;
}

/** The wallet before the booking, as everywhere. */
async function giveUp(tx: Tx, { bookingId, now }: Removal, seat: RemovedSeat) {
  if (seat.refundCents > 0) {
    const notes = "The organiser took you off the list";
    const entry = { userId: seat.playerId, amountCents: seat.refundCents, bookingId, notes };
    await refund(tx, { ...entry, businessKey: `refund:${bookingId}` }, now);
  }
  await tx
    .updateTable("bookings")
    .set({
      payment_status: seat.paymentStatus,
      uses_free_session: seat.usesFreeSession,
      cancelled_at: now,
    })
    .where("id", "=", bookingId)
    .execute();
}
