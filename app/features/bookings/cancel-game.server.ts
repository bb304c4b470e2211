import { listAuditOfForm, recordDeed } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { centsFromNumeric } from "#app/platform/money.ts";
import { closeGame } from "#app/features/games/games.server.ts";
import { refund } from "#app/features/wallet/ledger.server.ts";
import { CALLED_OFF_NOTE } from "./rules.ts";

interface Cancellation {
  gameId: string;
  actor?: string;
  /** Of the form: one that arrives twice is answered as at first. */
  formKey?: string | undefined;
  now: Date;
}

/**
 * Calls a game off: every live booking gets its full price back whatever the hour, a free session
 * counts as unused again, and everyone is told by mail. All in one transaction with the deed, whose
 * `actor` is an admin's id; a repeat changes nothing. Answers how many bookings were called off, or
 * null where the game cannot be.
 */
export async function cancelGame(
  db: Db,
  jobs: Jobs,
  { gameId, actor = "command", formKey, now }: Cancellation,
): Promise<number | null> {
  if (!isId(gameId)) return null;
  return db.transaction().execute(async (tx) => {
    const before = await closeGame(tx, gameId);
    if (!before) return findCancelled(tx, { gameId, formKey });
    const bookings = await listLiveBookings(tx, gameId);
    for (const booking of bookings) await callOff(tx, jobs, booking, now);
    const after = { status: "Cancelled", bookingsCalledOff: bookings.length };
    const details = { before: { status: before }, after, formKey };
    await recordDeed(tx, { actor, action: "game.cancel", subject: gameId, details });
    return bookings.length;
  });
}

/** What the same form was answered before; null where it has not cancelled this game. */
async function findCancelled(tx: Tx, { gameId, formKey }: Omit<Cancellation, "now">) {
  const [details] = await listAuditOfForm(tx, { action: "game.cancel", subject: gameId, formKey });
  const after = details?.after as { bookingsCalledOff: number } | undefined;
  return after?.bookingsCalledOff ?? null;
}

interface LiveBooking {
  id: string;
  user_id: string;
  payment_status: string;
  price_eur: string;
}

// Wallets are locked in the order of their users' ids, as everywhere.
function listLiveBookings(tx: Tx, gameId: string): Promise<LiveBooking[]> {
  return tx
    .selectFrom("bookings")
    .select(["id", "user_id", "payment_status", "price_eur"])
    .where("game_id", "=", gameId)
    .where("payment_status", "in", ["Paid", "Unpaid"])
    .orderBy("user_id")
    .execute();
}

async function callOff(tx: Tx, jobs: Jobs, booking: LiveBooking, now: Date) {
  const paidCents = booking.payment_status === "Paid" ? centsFromNumeric(booking.price_eur) : 0;
  if (paidCents > 0) {
    const entry = {
      userId: booking.user_id,
      amountCents: paidCents,
      bookingId: booking.id,
      notes: CALLED_OFF_NOTE,
      businessKey: `refund:${booking.id}`,
    };
    await refund(tx, entry, now);
  }
  await tx
    .updateTable("bookings")
    .set({
      payment_status: paidCents > 0 ? "Refunded" : "Cancelled",
      uses_free_session: false,
      cancelled_at: now,
    })
    .where("id", "=", booking.id)
    .execute();
  await jobs.enqueue(tx, "mail.game-cancelled", { bookingId: booking.id });
}
