import { listAuditEntriesOfForm, recordAudit } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { centsFromNumeric } from "#app/platform/money.ts";
import { closeGame } from "#app/features/games/games.server.ts";
import { refund } from "#app/features/wallet/ledger.server.ts";
import { liveBookings } from "./bookings.server.ts";
import { CALLED_OFF_NOTE, refundOfCancelledGame, statusAfterRefund } from "./rules.ts";

interface Cancellation {
  gameId: string;
  actor?: string;
  formKey?: string | undefined;
  now: Date;
}

/** Refunds all live bookings in full. Returns how many; null where it cannot be cancelled. */
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
    for (const booking of bookings) await cancel(tx, jobs, booking, now);
    const after = { status: "Cancelled", bookingsCalledOff: bookings.length };
    const details = { before: { status: before }, after, formKey };
    await recordAudit(tx, { actor, action: "game.cancel", subject: gameId, details });
    return bookings.length;
  });
}

async function findCancelled(tx: Tx, { gameId, formKey }: Omit<Cancellation, "now">) {
  const [details] = await listAuditEntriesOfForm(tx, {
    action: "game.cancel",
    subject: gameId,
    formKey,
  });
  const after = details?.after as { bookingsCalledOff: number } | undefined;
  return after?.bookingsCalledOff ?? null;
}

type LiveBooking = Awaited<ReturnType<typeof listLiveBookings>>[number];

// Wallets are locked in the order of their users' ids, as everywhere.
function listLiveBookings(tx: Tx, gameId: string) {
  return liveBookings(tx, gameId)
    .select(["id", "user_id as userId", "payment_status as paymentStatus", "price_eur"])
    .orderBy("user_id")
    .execute();
}

async function cancel(tx: Tx, jobs: Jobs, booking: LiveBooking, now: Date) {
  const { id, userId, paymentStatus, price_eur } = booking;
  const priceCents = centsFromNumeric(price_eur);
  const { cents, usesFreeSession } = refundOfCancelledGame({ paymentStatus, priceCents });
  if (cents > 0) {
    const entry = { userId, amountCents: cents, bookingId: id, notes: CALLED_OFF_NOTE };
    await refund(tx, { ...entry, businessKey: `refund:${id}` }, now);
  }
  await tx
    .updateTable("bookings")
    .set({
      payment_status: statusAfterRefund(cents),
      uses_free_session: usesFreeSession,
      cancelled_at: now,
    })
    .where("id", "=", id)
    .execute();
  await jobs.enqueue(tx, "mail.game-cancelled", { bookingId: id });
}

export async function sumRefundsOfGame(db: Db, gameId: string) {
  const { players, total } = await db
    .selectFrom("bookings")
    .innerJoin("wallet_transactions as entry", "entry.booking_id", "bookings.id")
    .select(({ fn }) => [
      fn.countAll<number>().as("players"),
      fn.sum<string | null>("entry.amount_eur").as("total"),
    ])
    .where("bookings.game_id", "=", gameId)
    .where("entry.type", "=", "refund")
    .where("entry.notes", "=", CALLED_OFF_NOTE)
    .executeTakeFirstOrThrow();
  return { players, cents: centsFromNumeric(total ?? "0") };
}
