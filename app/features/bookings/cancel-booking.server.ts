import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { centsFromNumeric } from "#app/platform/money.ts";
import { lockGame } from "#app/features/games/games.server.ts";
import { refund } from "#app/features/wallet/ledger.server.ts";
import { isCancellable, refundCents, soldTerms } from "./rules.ts";

export type CancelAnswer =
  | { ok: true; refundCents: number }
  | { ok: false; reason: "not-found" | "already-cancelled" | "not-cancellable" };

interface Cancellation {
  bookingId: string;
  playerId: string;
  reason?: string;
  /** Of the form: one that arrives twice is answered as at first. */
  formKey?: string | undefined;
  now: Date;
}

/**
 * Gives the seat back, with the refund that the booking's own terms promise at `now`, in one
 * transaction. "not-found" where the booking is unknown or somebody else's; "already-cancelled"
 * where the seat was given up before; "not-cancellable" where it is Unpaid or the game has started.
 * A refusal changes nothing.
 */
export async function cancelBooking(
  db: Db,
  jobs: Jobs,
  cancellation: Cancellation,
): Promise<CancelAnswer> {
  const gameId = await findGameOf(db, cancellation);
  if (!gameId) return { ok: false, reason: "not-found" };
  return db.transaction().execute(async (tx) => {
    const game = await lockGame(tx, gameId);
    const before = await findCancelled(tx, cancellation);
    if (before) return before;
    const answer = await cancelLocked(tx, game!.startsAt, cancellation);
    if (!answer.ok) return answer;
    await jobs.enqueue(tx, "mail.booking-cancelled", { bookingId: cancellation.bookingId });
    return answer;
  });
}

/** What the same form was answered before; null where it has not cancelled this booking. */
async function findCancelled(
  tx: Tx,
  { bookingId, formKey }: Cancellation,
): Promise<CancelAnswer | null> {
  if (!formKey) return null;
  const booking = await tx
    .selectFrom("bookings")
    .select((eb) => [
      eb
        .selectFrom("wallet_transactions")
        .select("amount_eur")
        .where("business_key", "=", `refund:${bookingId}`)
        .as("refund"),
    ])
    .where("id", "=", bookingId)
    .where("cancel_form_key", "=", formKey)
    .executeTakeFirst();
  return booking ? { ok: true, refundCents: centsFromNumeric(booking.refund ?? "0.00") } : null;
}

/** The same on the caller's transaction, which holds the game's lock; the mail is the caller's. */
export async function cancelLocked(
  tx: Tx,
  startsAt: Date,
  cancellation: Cancellation,
): Promise<CancelAnswer> {
  const booking = await findTerms(tx, cancellation.bookingId);
  if (GIVEN_UP.includes(booking.paymentStatus)) return { ok: false, reason: "already-cancelled" };
  const facts = { paymentStatus: booking.paymentStatus, startsAt };
  if (!isCancellable(facts, cancellation.now)) return { ok: false, reason: "not-cancellable" };
  const cents = refundCents(booking, startsAt, cancellation.now);
  await giveBack(tx, cancellation, cents);
  return { ok: true, refundCents: cents };
}

const GIVEN_UP = ["Refunded", "Cancelled"];

// A booking never changes its game or its player, so this may be read before the lock.
async function findGameOf(db: Db, { bookingId, playerId }: Cancellation): Promise<string | null> {
  if (!isId(bookingId)) return null;
  const booking = await db
    .selectFrom("bookings")
    .select("game_id")
    .where("id", "=", bookingId)
    .where("user_id", "=", playerId)
    .executeTakeFirst();
  return booking?.game_id ?? null;
}

/** Read under the game's lock, which everybody who changes a booking of this game holds. */
async function findTerms(tx: Tx, bookingId: string) {
  const row = await tx
    .selectFrom("bookings")
    .select(["payment_status", "price_eur", "refund_hours", "refund_fee_eur", "uses_free_session"])
    .where("id", "=", bookingId)
    .executeTakeFirstOrThrow();
  return { paymentStatus: row.payment_status, ...soldTerms(row) };
}

async function giveBack(tx: Tx, cancellation: Cancellation, cents: number) {
  const { bookingId, playerId, reason, formKey = null, now } = cancellation;
  if (cents > 0) {
    const entry = { userId: playerId, amountCents: cents, bookingId, notes: "Cancelled a game" };
    await refund(tx, { ...entry, businessKey: `refund:${bookingId}` }, now);
  }
  await tx
    .updateTable("bookings")
    .set({
      payment_status: cents > 0 ? "Refunded" : "Cancelled",
      cancelled_at: now,
      cancel_reason: reason || null,
      cancel_form_key: formKey,
    })
    .where("id", "=", bookingId)
    .execute();
}
