import type { NextTicket, Ticket } from "#app/features/bookings/bookings.server.ts";
import { bookingState } from "#app/features/bookings/participation.ts";
import { isLive } from "#app/features/seats/rules.ts";
import { isKept } from "#app/features/chat/rules.ts";
import type { OwnEntry } from "#app/features/waitlist/entries.server.ts";
import { clockTime, gameState, spotsLeft } from "#app/features/games/rules.ts";
import { webAddress } from "#app/platform/web-address.ts";
import {
  helsinkiDate,
  monthDay,
  monthDayYear,
  timeText,
  upperWeekday,
} from "#app/platform/clock.ts";
import { creditsCount } from "#app/platform/money.ts";
import { priceText } from "#app/features/bookings/cash-texts.ts";
import { toCancelView } from "#app/routes/own-spot/cancel-view.ts";
import { toEntryView } from "#app/routes/waitlist/view.server.ts";
import { ownPath } from "#app/ui/picture.tsx";
import { NO_SHOW_DAYS, noShowEnds, noShowsText } from "#app/features/roster/rules.ts";

export function toTicketView(ticket: Ticket, now: Date, waiting = 0) {
  const { id, gameId, paymentStatus, venueName, city, startsAt, endsAt } = ticket;
  const isIn = isLive(paymentStatus);
  const isPaid = paymentStatus === "Paid";
  const isFree = ticket.priceCents === 0 && !ticket.isUncharged;
  const state = bookingState({ ...gameState(ticket, now), isIn });
  const mayCancel = state === "in" && isPaid;
  const isGivenBack = paymentStatus === "Cancelled" && ticket.lateRefundCents > 0;
  const isSpotOpen = state === "out" && isGivenBack;
  return {
    id,
    gameId,
    paymentStatus,
    attendance: state === "was-in" && isPaid ? ticket.attendance : null,
    venueName,
    city,
    place: ticket.address ? `${ticket.address}, ${city}` : city,
    mapsUrl: webAddress(ticket.mapsUrl),
    photoUrl: ownPath(ticket.photoUrl),
    date: ticket.date,
    weekday: upperWeekday(ticket.date),
    monthDay: monthDay(ticket.date),
    monthDayYear: monthDayYear(ticket.date),
    start: clockTime(ticket.startTime),
    end: clockTime(ticket.endTime),
    price: isPaid && isFree ? "with your free session" : priceText(ticket),
    countdown: countdown(startsAt, now),
    isCalledOff: ticket.isCalledOff,
    showsRefundPending: ticket.showsRefundPending,
    // The same rule as `chatAccess`.
    hasChat: (isIn || ticket.isCalledOff) && isKept(endsAt, now),
    hadTooFewPlayers: ticket.decision === "CalledOff",
    ...(mayCancel ? toCancelView(ticket, { game: gameOf(ticket), now, waiting }) : NO_CANCELLING),
    revision: ticket.revision,
    openSpot: isSpotOpen ? openSpotText(ticket.lateRefundCents) : null,
  };
}

const NO_CANCELLING = { terms: null, quote: null, shown: null };

function gameOf({ venueId: id, venueName: name, address, city, startsAt, endsAt }: Ticket) {
  return { startsAt, endsAt, venue: { id, name, address, city } };
}

/** Null if none counts; by kick-off, oldest first. */
export function noShowsNotice(startsAt: Date[]): string | null {
  const [first, ...later] = startsAt.map((at) => monthDay(helsinkiDate(noShowEnds(at))));
  if (!first) return null;
  const last = later.at(-1);
  const until = last
    ? `The first no longer counts from ${first}, the last from ${last}.`
    : `It no longer counts from ${first}.`;
  return `${noShowsText(startsAt.length)} in the last ${NO_SHOW_DAYS} days. ${until}`;
}

const openSpotText = (cents: number) =>
  `${creditsCount(cents)} come back if somebody takes it before kick-off.`;

/** In the game's chat: "2 unread messages". */
export interface Unread {
  unread?: string | null;
}

export type TicketView = ReturnType<typeof toTicketView> & Unread;

/** Has the payments by hand of an ended booking. */
export type EarlierTicketView = TicketView & { cashBack?: string | null };

export function toNextTicketView(ticket: NextTicket, now: Date) {
  const { endsAt, minimum, notes, waiting, holdsUntil } = ticket;
  return {
    ...toTicketView(ticket, now, waiting),
    endsAt: endsAt.toISOString(),
    minimum,
    held: holdsUntil && `You hold a spot for a friend until ${timeText(holdsUntil, now)}`,
    notes: notes.join("\n\n"),
    spots: spotsLeft(ticket.maxPlayers, ticket.joinedCount, ticket.heldCount),
    joined: ticket.joinedCount,
  };
}

export type NextTicketView = ReturnType<typeof toNextTicketView> & Unread;

export function toWaitlistTicket(
  entry: OwnEntry,
  about: Parameters<typeof toEntryView>[1],
  now: Date,
) {
  const { entryId, gameId, venueName, city, date, revision } = entry;
  return {
    ...{ entryId, gameId, venueName, city, date, revision },
    weekday: upperWeekday(date),
    monthDay: monthDay(date),
    start: clockTime(entry.startTime),
    end: clockTime(entry.endTime),
    ...toEntryView(entry, about, now),
  };
}

export type WaitlistTicket = ReturnType<typeof toWaitlistTicket>;

/** "in 3 days", "in 5 h", "in 12 min" or "now". */
function countdown(startsAt: Date, now: Date): string {
  const minutes = Math.ceil((startsAt.getTime() - now.getTime()) / 60_000);
  if (minutes <= 0) return "now";
  if (minutes < 60) return `in ${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `in ${hours} h` : `in ${Math.floor(hours / 24)} days`;
}
