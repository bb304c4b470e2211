import { monthDay, wallClock, weekdayAndTime } from "#app/platform/clock.ts";
import { type Db, inCents } from "#app/platform/db.server.ts";
import { webAddress } from "#app/platform/web-address.ts";
import { describePendingCash } from "./pending-cash.server.ts";
import { cancelTerms, isCancellable, isLive, soldTerms } from "#app/features/seats/rules.ts";
import { refundKey } from "#app/features/seats/end-booking.server.ts";

export type BookingFacts = NonNullable<Awaited<ReturnType<typeof findBookingFacts>>>;

/** What emails and push messages say of a booking; `terms` by default as it was sold. */
export async function findBookingFacts(db: Db, bookingId: string, now?: Date) {
  const row = await db
    .selectFrom("bookings")
    .innerJoin("profiles", "profiles.user_id", "bookings.user_id")
    .innerJoin("games", "games.id", "bookings.game_id")
    .innerJoin("venues", "venues.id", "games.venue_id")
    .leftJoin("wallet_transactions as refund", (join) =>
      join.on("refund.business_key", "=", refundKey(bookingId)),
    )
    .innerJoin("users", "users.id", "bookings.user_id")
    .selectAll("bookings")
    .select([
      "users.suspended_at",
      "profiles.email",
      "profiles.first_name",
      "games.date",
      "games.starts_at",
      "games.ends_at",
    ])
    .select(["games.status as gameStatus", "games.decision", "games.min_players"])
    .select(["venues.name", "venues.city", "venues.address", "venues.maps_url"])
    .select(inCents("refund.amount_eur").as("refundedCents"))
    .select(inCents("late_refund_eur").as("lateRefundCents"))
    .where("bookings.id", "=", bookingId)
    .executeTakeFirst();
  if (!row) return null;
  const {
    email,
    refundedCents,
    lateRefundCents,
    starts_at: startsAt,
    payment_status: paymentStatus,
  } = row;
  const terms = soldTerms(row);
  const readAt = now ?? row.created_at;
  return {
    email,
    startsAt,
    userId: row.user_id,
    game: { status: row.gameStatus, startsAt, endsAt: row.ends_at },
    isPublished: row.gameStatus === "Published",
    isIn: isLive(paymentStatus),
    isGameCancelled: row.end_reason === "GameCancelled",
    cancelledAt: row.cancelled_at,
    missedMinimum: row.decision === "CalledOff" ? row.min_players : null,
    // A suspended player cannot sign in to cancel.
    isCancellable: !row.suspended_at && isCancellable({ paymentStatus, startsAt }, readAt),
    minPlayers: row.min_players,
    undecidedMinimum: row.decision ? null : row.min_players,
    isPlayedAnyway: row.decision === "PlayAnyway",
    priceCents: terms.priceCents,
    isUncharged: terms.isUncharged === true,
    isPaid: paymentStatus === "Paid",
    refundedCents,
    cashBack:
      (await describePendingCash(db, { bookingIds: isLive(paymentStatus) ? [] : [bookingId] })).get(
        bookingId,
      ) ?? null,
    isRefundedLate: refundedCents > 0 && lateRefundCents > 0,
    lateRefundCents: paymentStatus === "Cancelled" ? lateRefundCents : 0,
    gameId: row.game_id,
    firstName: row.first_name,
    kickOff: weekdayAndTime(startsAt),
    kickOffTime: wallClock(startsAt).time.slice(0, 5),
    when: `${weekdayAndTime(startsAt)}, ${monthDay(row.date)}`,
    venue: row.name,
    where: `${row.name}, ${row.city}`,
    address: [row.name, row.address, row.city].filter(Boolean).join(", "),
    mapsUrl: webAddress(row.maps_url),
    terms: `${cancelTerms(terms, startsAt, readAt)}.`,
  };
}
