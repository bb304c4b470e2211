import type { PlayersTicket, SupportTicket } from "#app/features/support/inbox.server.ts";
import { DONE, OPEN, titleOf } from "#app/routes/admin/tickets.ts";
import type { Ticket } from "#app/features/bookings/bookings.server.ts";
import type { CashOf } from "#app/features/roster/cash-payments.server.ts";
import { cashText, priceText } from "#app/features/bookings/cash-texts.ts";
import { clockTime } from "#app/features/games/rules.ts";
import type { NoShow } from "#app/features/roster/no-shows.server.ts";
import { isLive } from "#app/features/seats/rules.ts";
import type { PlayerRecord } from "#app/features/players/profiles.server.ts";
import type { PaymentUnderWay } from "#app/features/wallet/pending-payments.server.ts";
import type { FoundPlayer } from "#app/features/players/search-players.server.ts";
import { formatMoment, helsinkiDate, monthDayYear } from "#app/platform/clock.ts";
import { creditsCount, euros } from "#app/platform/money.ts";
import { ownPath } from "#app/ui/picture.tsx";
import { NO_SHOW_DAYS, noShowsText } from "#app/features/roster/rules.ts";

export function toPlayerRow(found: FoundPlayer, noShows: number) {
  const { firstName, lastName, balanceCents, ...player } = found;
  return {
    ...player,
    noShows: noShows > 0 ? noShowsText(noShows) : null,
    name: `${firstName} ${lastName}`,
    profilePictureUrl: ownPath(player.profilePictureUrl),
    balance: creditsCount(balanceCents),
  };
}
export type PlayerRow = ReturnType<typeof toPlayerRow>;

/** Formats times on the server, in Helsinki time. */
export function toPlayerView(record: PlayerRecord, payments: PaymentUnderWay[]) {
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
      ...payments.map(toPaymentFact),
    ],
  };
}
/** With the reference that Stripe's dashboard finds. */
function toPaymentFact({ state, amountCents, since, sessionId }: PaymentUnderWay) {
  return {
    name: PAYMENT_FACTS[state],
    value: `${euros(amountCents)}, ${dayOf(since)}, ${sessionId}`,
  };
}

const PAYMENT_FACTS = {
  pending: "Payment on its way",
  failed: "Payment failed",
  unmatched: "Unmatched payment",
} satisfies Record<PaymentUnderWay["state"], string>;

export type PlayerView = ReturnType<typeof toPlayerView>;

export function toBookingView(ticket: Ticket, cash: CashOf[]) {
  const isIn = isLive(ticket.paymentStatus);
  // The no-show of a removed player counts too.
  const isMarked = isIn || ticket.attendance === "NoShow";
  return {
    id: ticket.id,
    gameId: ticket.gameId,
    when: `${monthDayYear(ticket.date)}, ${clockTime(ticket.startTime)}`,
    place: `${ticket.venueName}, ${ticket.city}`,
    price: priceText(ticket),
    status: ticket.paymentStatus,
    cash: cash.filter(({ bookingId }) => bookingId === ticket.id).flatMap(cashTexts),
    attendance: isMarked ? attendanceOf(ticket) : null,
    isCalledOff: ticket.isCalledOff,
    isRemoved: ticket.isRemoved,
  };
}

function cashTexts({ isGivenBack, isKept, isDue, ...cash }: CashOf): string[] {
  const amount = euros(cash.amountCents);
  const paid = `Paid ${cashText(cash)}`;
  if (isGivenBack) return [paid, `${amount} given back`];
  if (isKept) return [paid, `${amount} kept`];
  return isDue ? [paid, `${amount} to give back`] : [paid];
}
export type BookingView = ReturnType<typeof toBookingView>;

const CAME = { text: "Came", tone: "green" } as const;
const NO_SHOW = { text: "No-show", tone: "red" } as const;
const EXCUSED = { text: "Excused", tone: "neutral" } as const;

function attendanceOf({ attendance, isExcused }: Pick<Ticket, "attendance" | "isExcused">) {
  if (attendance === null) return null;
  if (attendance === "CheckedIn") return CAME;
  return isExcused ? EXCUSED : NO_SHOW;
}

/** Null if there are none in those days, excused or not. */
export function toNoShowsView(noShows: NoShow[]) {
  if (noShows.length === 0) return null;
  const counted = new Set(noShows.filter(({ excusedAt }) => !excusedAt).map(gameIdOf)).size;
  const days = `in the last ${NO_SHOW_DAYS} days`;
  return {
    count: counted > 0 ? noShowsText(counted) : null,
    about: counted > 0 ? `${noShowsText(counted)} ${days}.` : `None that counts ${days}.`,
    list: noShows.map(({ startsAt, excusedAt, excusedBy, ...noShow }) => ({
      ...noShow,
      when: formatMoment(startsAt),
      badge: excusedAt ? EXCUSED : NO_SHOW,
      excused: excusedAt && `Excused by ${excusedBy}, ${formatMoment(excusedAt)}`,
    })),
  };
}
export type NoShowsView = NonNullable<ReturnType<typeof toNoShowsView>>;

const gameIdOf = ({ gameId }: NoShow) => gameId;

const dayOf = (instant: Date) => monthDayYear(helsinkiDate(instant));

export function toPlayersTicket(ticket: PlayersTicket) {
  const { id, kind, at, status } = ticket;
  const state = status === "open" ? OPEN : DONE;
  return { id, kind, title: titleOf(ticket), when: formatMoment(at), state };
}
export type PlayersTicketView = ReturnType<typeof toPlayersTicket>;

/** Null where a thread is to be read before it is gone on with. */
export function toUnanswered(ticket: SupportTicket | null) {
  if (!ticket || ticket.thread.length > 0) return null;
  const { id, text, writer, thread } = ticket;
  return { id, text, writer, thread };
}
