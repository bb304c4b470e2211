import { weekdayAndTime } from "#app/platform/clock.ts";
import { centsFromNumeric, creditsText, numericFromCents } from "#app/platform/money.ts";
import type { GameStatus, PaymentStatus } from "#app/platform/schema.ts";

export const LIVE = ["Paid", "Unpaid"] as const satisfies PaymentStatus[];

export const isLive = (status: PaymentStatus) => status === "Paid" || status === "Unpaid";

/** Only while Paid, and before kick-off. */
export function isCancellable(
  booking: { paymentStatus: string; startsAt: Date },
  now: Date,
): boolean {
  return booking.paymentStatus === "Paid" && now < booking.startsAt;
}

// Refunds: under which terms a seat is sold, and what each way of losing it gives back. A booking
// stores its own terms, which decide; the columns' defaults only repeat soldColumns.

/** At least 24 hours before kick-off the price comes back minus 0.99; later nothing. */
export const REFUND_HOURS = 24;
export const REFUND_FEE_CENTS = 99;

/** A booking keeps the price and the rule as sold. */
interface SoldTerms {
  priceCents: number;
  refundHours: number;
  refundFeeCents: number;
  /** Not paid in credits and no free session: it was settled with the organiser. */
  isPaidElsewhere?: boolean;
}

export const soldColumns = (priceCents: number) => ({
  price_eur: numericFromCents(priceCents),
  refund_hours: REFUND_HOURS,
  refund_fee_eur: numericFromCents(REFUND_FEE_CENTS),
});

/** The terms of a seat that an organiser gives: no credits are taken, so none can come back. */
export const GIVEN_COLUMNS = { price_eur: "0.00", refund_fee_eur: "0.00" };

/** The terms after the organiser has moved the game: the full price until kick-off. */
export const WAIVED_COLUMNS = { refund_hours: 0, refund_fee_eur: "0.00" };

export function soldTerms(row: {
  price_eur: string;
  refund_hours: number;
  refund_fee_eur: string;
  uses_free_session: boolean;
}): SoldTerms {
  const priceCents = centsFromNumeric(row.price_eur);
  return {
    priceCents,
    refundHours: row.refund_hours,
    refundFeeCents: centsFromNumeric(row.refund_fee_eur),
    isPaidElsewhere: priceCents === 0 && !row.uses_free_session,
  };
}

/** A player cancels: exactly at the deadline still counts. A used free session stays used. */
export function refundCents(terms: SoldTerms, startsAt: Date, now: Date): number {
  if (now > refundDeadline(startsAt, terms.refundHours)) return 0;
  return Math.max(0, terms.priceCents - terms.refundFeeCents);
}

type PaidSeat = { paymentStatus: PaymentStatus; priceCents: number };

/** The organiser cancels the game: the full price whatever the hour, and the free session too. */
export function refundOfCancelledGame(booking: PaidSeat) {
  const cents = booking.paymentStatus === "Paid" ? booking.priceCents : 0;
  return { cents, usesFreeSession: false };
}

/** The organiser removes a player: as if the game was cancelled, or nothing, as they choose. */
export function refundOfRemoval(
  booking: PaidSeat & { usesFreeSession: boolean },
  withRefund: boolean,
) {
  if (withRefund) return refundOfCancelledGame(booking);
  return { cents: 0, usesFreeSession: booking.usesFreeSession };
}

export const statusAfterRefund = (cents: number): "Refunded" | "Cancelled" =>
  cents > 0 ? "Refunded" : "Cancelled";

/** Never change it: sumRefundsOfGame finds these refunds by this note. */
export const CALLED_OFF_NOTE = "The game was cancelled by the organiser";

/** The last instant at which a cancellation gives credits back; hours are elapsed hours. */
export function refundDeadline(startsAt: Date, refundHours = REFUND_HOURS): Date {
  return new Date(startsAt.getTime() - refundHours * 3_600_000);
}

export function cancelQuote(terms: SoldTerms, startsAt: Date, now: Date): string {
  if (terms.isPaidElsewhere) return NO_CREDITS_BACK;
  if (terms.priceCents === 0) {
    return "This was a free game. Cancelling it is irreversible: your free session stays used.";
  }
  const refund = refundCents(terms, startsAt, now);
  if (refund > 0) return `You'll get ${creditsText(refund)} credits back.`;
  const deadline = weekdayAndTime(refundDeadline(startsAt, terms.refundHours));
  return `You won't get credits back: cancelling with a refund was possible until ${deadline}.`;
}

const NO_CREDITS_BACK =
  "No credits were taken for this game, so none come back. What you paid is between you and the organiser.";

export function cancelTerms(terms: SoldTerms, startsAt: Date, now: Date): string {
  if (terms.isPaidElsewhere) return "No credits were taken for this game";
  if (terms.priceCents === 0) return "Cancelling a free game is irreversible";
  const deadline = refundDeadline(startsAt, terms.refundHours);
  if (now > deadline) return "No refund any more";
  const isWaived = terms.refundHours === 0 && terms.refundFeeCents === 0;
  if (isWaived) return `Free cancellation until ${weekdayAndTime(deadline)}`;
  const back = creditsText(refundCents(terms, startsAt, now));
  return `${back} credits back until ${weekdayAndTime(deadline)}`;
}

/** The policy on the game page, in the plan dialog and in the default Terms. */
export const CANCELLATION_POLICY = [
  `A paid game cancelled at least ${REFUND_HOURS} hours before kick-off is refunded in full minus ` +
    `a €${(REFUND_FEE_CENTS / 100).toFixed(2)} fee.`,
  `Under ${REFUND_HOURS} hours before kick-off it is non-refundable.`,
  "Cancelling a free game is irreversible.",
];

const MARKING_MINUTES = 60;
export const SCORE_MAX = 99;
export const SUBJECT_MAX = 120;
export const MESSAGE_MAX = 5_000;

/** Whether attendance can be marked: from an hour before kick-off, earlier taps are mistakes. */
export function canMark(game: { startsAt: Date }, now: Date): boolean {
  return now.getTime() >= game.startsAt.getTime() - MARKING_MINUTES * 60_000;
}

/** Only a game that takes place, or has taken place, has a roster to change. */
export function takesPlace({ status }: { status: GameStatus }): boolean {
  return status === "Published" || status === "Completed";
}

export interface Score {
  firstScore: number;
  secondScore: number;
}

export type ResultProblem = "too-many-goals" | "winners-of-a-draw";

/** Fewer players' goals than the score are fine: there are own goals, and guests. */
export function resultProblem(
  { firstScore, secondScore }: Score,
  players: { goals: number; hasWon: boolean }[],
): ResultProblem | null {
  const goals = players.reduce((sum, player) => sum + player.goals, 0);
  if (goals > firstScore + secondScore) return "too-many-goals";
  const isDraw = firstScore === secondScore;
  return isDraw && players.some(({ hasWon }) => hasWon) ? "winners-of-a-draw" : null;
}

/** What its players need to know of a game; times as "HH:MM" by Helsinki's clock. */
export interface GameFacts {
  date: string;
  startTime: string;
  endTime: string;
  venueId: string;
  maxPlayers: number;
  isFirstSessionFree: boolean;
}
