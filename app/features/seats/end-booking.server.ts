import { sql } from "kysely";
import type { Updateable } from "kysely";
import { refund } from "#app/features/wallet/ledger.server.ts";
import { isOneOf, type Tx } from "#app/platform/db.server.ts";
import type { EndReason, Schema } from "#app/platform/schema.ts";
import { endHoldsOf } from "./hold-ends.server.ts";
import type { Refund } from "./rules.ts";

type Ending = { reason: EndReason; notes: string; now: Date };

type EndedBooking = { bookingId: string; userId: string } & Partial<Refund>;

/** Under the game's lock. Also ends what its player holds for a friend; a second refund fails. */
export function endBooking(
  tx: Tx,
  ended: Ending & EndedBooking,
  columns: Updateable<Schema["bookings"]> = {},
): Promise<void> {
  return endBookings(tx, [ended], ended, columns);
}

/** The same for several of one game, by set. */
export async function endBookings(
  tx: Tx,
  bookings: EndedBooking[],
  { reason, notes, now }: Ending,
  columns: Updateable<Schema["bookings"]> = {},
): Promise<void> {
  if (bookings.length === 0) return;
  const refunds = bookings
    .map(({ creditsBackCents: amountCents = 0, ...one }) => ({ ...one, amountCents }))
    .filter(({ amountCents }) => amountCents > 0)
    .map((one) => ({ ...one, notes, businessKey: refundKey(one.bookingId) }));
  await refund(tx, refunds, now);
  const free = bookings.filter(({ isFreeSessionBack }) => isFreeSessionBack);
  await tx
    .updateTable("bookings")
    .set({ cancelled_at: now, end_reason: reason, team: null, not_collected_at: null })
    .set("payment_status", sql`case when ${isAny(refunds)} then 'Refunded' else 'Cancelled' end`)
    .set("uses_free_session", sql`uses_free_session and not ${isAny(free)}`)
    .set(columns)
    .where(isAny(bookings))
    .execute();
  await endHoldsOf(tx, { bookingIds: idsOf(bookings), now });
}

/** For bookings that ended without credits back; under the game's lock, at most once each. */
export async function refundLate(
  tx: Tx,
  late: (Record<"bookingId" | "userId", string> & { amountCents: number })[],
  { notes, now }: { notes: string; now: Date },
): Promise<void> {
  if (late.length === 0) return;
  const entries = late.map((one) => ({ ...one, notes, businessKey: refundKey(one.bookingId) }));
  await refund(tx, entries, now);
  const bookings = tx.updateTable("bookings").set({ payment_status: "Refunded" });
  await bookings.where(isAny(late)).execute();
}

const isAny = (bookings: { bookingId: string }[]) => isOneOf("id", idsOf(bookings));
const idsOf = (bookings: { bookingId: string }[]) => bookings.map(({ bookingId }) => bookingId);

/** The ledger's key of what a booking gave back: there is at most one such entry. */
export const refundKey = (bookingId: string) => `refund:${bookingId}`;
