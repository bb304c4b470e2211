import type { NextTicket, Ticket } from "#app/features/bookings/bookings.server.ts";
import { cancelQuote, cancelTerms, isCancellable } from "#app/features/bookings/rules.ts";
import { clockTime } from "#app/features/games/rules.ts";
import { webAddress } from "#app/platform/text.ts";
import { monthDay, monthDayYear, upperWeekday } from "#app/platform/clock.ts";
import { creditsCount } from "#app/platform/money.ts";
import { ownPath } from "#app/ui/picture.tsx";

/** Times are formatted on the server, in Helsinki time. */
export function toTicketView(ticket: Ticket, now: Date) {
  const { id, gameId, paymentStatus, venueName, city, startsAt, endsAt } = ticket;
  const mayCancel = isCancellable(ticket, now);
  return {
    id,
    gameId,
    paymentStatus,
    attendance: paymentStatus === "Paid" && endsAt <= now ? ticket.attendance : null,
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
    price: priceText(ticket),
    countdown: countdown(startsAt, now),
    isCalledOff: ticket.isCalledOff,
    terms: mayCancel ? cancelTerms(ticket, startsAt, now) : null,
    quote: mayCancel ? cancelQuote(ticket, startsAt, now) : null,
  };
}

export type TicketView = ReturnType<typeof toTicketView>;

export function toNextTicketView(ticket: NextTicket, now: Date) {
  const { endsAt, notes } = ticket;
  return { ...toTicketView(ticket, now), endsAt: endsAt.toISOString(), notes: notes.join("\n\n") };
}

export type NextTicketView = ReturnType<typeof toNextTicketView>;

/** Beside the badge of the payment: what it was paid with. */
export function priceText({ priceCents, isUncharged }: Ticket): string {
  if (priceCents > 0) return creditsCount(priceCents);
  return isUncharged ? "No credits" : "Free session";
}

/** "in 3 days", "in 5 h", "in 12 min" or "now". */
function countdown(startsAt: Date, now: Date): string {
  const minutes = Math.ceil((startsAt.getTime() - now.getTime()) / 60_000);
  if (minutes <= 0) return "now";
  if (minutes < 60) return `in ${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `in ${hours} h` : `in ${Math.floor(hours / 24)} days`;
}
