import type { PlayerRecord } from "#app/features/players/profiles.server.ts";
import type { FoundPlayer } from "#app/features/players/search-players.server.ts";
import type { Ticket } from "#app/features/bookings/bookings.server.ts";
import { clockTime } from "#app/features/games/rules.ts";
import { helsinkiDate, monthDayYear } from "#app/platform/clock.ts";
import { creditsCount } from "#app/platform/money.ts";
import { ownPath } from "#app/ui/picture.tsx";
import { priceWords } from "#app/routes/bookings/ticket-view.ts";

/** A player of the list. */
export function showFound({ firstName, lastName, balanceCents, ...player }: FoundPlayer) {
  return {
    ...player,
    name: `${firstName} ${lastName}`,
    profilePictureUrl: ownPath(player.profilePictureUrl),
    balance: creditsCount(balanceCents),
  };
}
export type FoundWords = ReturnType<typeof showFound>;

/** A player's own page; made on the server, in Helsinki's time. */
export function showRecord(record: PlayerRecord) {
  const { id, firstName, lastName, email, phone, suspendedAt, debtCents } = record;
  return {
    id,
    firstName,
    name: `${firstName} ${lastName}`,
    email,
    phone,
    profilePictureUrl: ownPath(record.profilePictureUrl),
    isAdmin: record.isAdmin,
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
export type RecordWords = ReturnType<typeof showRecord>;

/** A booking of a player, as the organisers list it. */
export function showBooking(ticket: Ticket) {
  return {
    id: ticket.id,
    gameId: ticket.gameId,
    when: `${monthDayYear(ticket.date)}, ${clockTime(ticket.startTime)}`,
    place: `${ticket.venueName}, ${ticket.city}`,
    price: priceWords(ticket),
    status: ticket.paymentStatus,
    isCalledOff: ticket.isCalledOff,
  };
}
export type BookingWords = ReturnType<typeof showBooking>;

const dayOf = (instant: Date) => monthDayYear(helsinkiDate(instant));
