import type { Ticket } from "#app/features/bookings/bookings.server.ts";
import { clockTime } from "#app/features/games/rules.ts";
import type { PlayerRecord } from "#app/features/players/profiles.server.ts";
import type { FoundPlayer } from "#app/features/players/search-players.server.ts";
import { helsinkiDate, monthDayYear } from "#app/platform/clock.ts";
import { creditsCount } from "#app/platform/money.ts";
import { ownPath } from "#app/ui/picture.tsx";
import { priceText } from "#app/routes/bookings/ticket-view.ts";

export function toPlayerRow({ firstName, lastName, balanceCents, ...player }: FoundPlayer) {
  return {
    ...player,
    name: `${firstName} ${lastName}`,
    profilePictureUrl: ownPath(player.profilePictureUrl),
    balance: creditsCount(balanceCents),
  };
}
export type PlayerRow = ReturnType<typeof toPlayerRow>;

/** Times are formatted on the server, in Helsinki time. */
export function toPlayerView(record: PlayerRecord) {
  const { id, firstName, lastName, email, phone, isAdmin, suspendedAt, debtCents } = record;
  return {
    ...{ id, firstName, email, phone, isAdmin },
    name: `${firstName} ${lastName}`,
    profilePictureUrl: ownPath(record.profilePictureUrl),
    suspension: suspendedAt && { since: dayOf(suspendedAt), reason: record.suspendedReason ?? "" },
    balance: creditsCount(record.balanceCents),
    debt: debtCents > 0 ? creditsCount(debtCents) : null,
    facts: [
      { name: "Studies", value: `${record.schoolYear}, ${record.major}` },
      { name: "Born", value: monthDayYear(record.dateOfBirth) },
      { name: "Joined", value: dayOf(record.signedUpAt) },
    ],
  };
}
export type PlayerView = ReturnType<typeof toPlayerView>;

export function toBookingView(ticket: Ticket) {
  return {
    id: ticket.id,
    gameId: ticket.gameId,
    when: `${monthDayYear(ticket.date)}, ${clockTime(ticket.startTime)}`,
    place: `${ticket.venueName}, ${ticket.city}`,
    price: priceText(ticket),
    status: ticket.paymentStatus,
    isCalledOff: ticket.isCalledOff,
  };
}
export type BookingView = ReturnType<typeof toBookingView>;

const dayOf = (instant: Date) => monthDayYear(helsinkiDate(instant));
