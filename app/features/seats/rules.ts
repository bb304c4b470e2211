import { dayAndTime, weekdayAndTime } from "#app/platform/clock.ts";
import { centsFromNumeric, creditsText, numericFromCents } from "#app/platform/money.ts";
import type { PaymentStatus } from "#app/platform/schema.ts";

export const LIVE = ["Paid", "Unpaid"] as const satisfies PaymentStatus[];

export const isLive = (status: PaymentStatus) => status === "Paid" || status === "Unpaid";

export function isCancellable(booking: { paymentStatus: string; startsAt: Date }, now: Date) {
  return booking.paymentStatus === "Paid" && now < booking.startsAt;
}

// A booking stores its own terms, which decide; if written by SQL, they are the columns' defaults.

/** At least 24 hours before kick-off the price comes back minus 0.99; later nothing. */
export const REFUND_HOURS = 24;
export const REFUND_FEE_CENTS = 99;

interface SoldTerms {
  priceCents: number;
  refundHours: number;
  refundFeeCents: number;
  /** Promoted from the waitlist so late that it can be given back until then for its full price. */
  freeUntil?: Date | null;
  /** Neither credits nor a free session (any more) are used for it: it is the organiser's. */
  isUncharged?: boolean;
}

export const soldColumns = (priceCents: number) => ({
  price_eur: numericFromCents(priceCents),
  refund_hours: REFUND_HOURS,
  refund_fee_eur: numericFromCents(REFUND_FEE_CENTS),
});

/** The terms of a seat that an organiser gives: no credits are taken, so none can come back. */
export const GIVEN_COLUMNS = { ...soldColumns(0), refund_fee_eur: "0.00" };

/** The terms after the organiser has moved the game: the full price until kick-off. */
export const WAIVED_COLUMNS = { refund_hours: 0, refund_fee_eur: "0.00" };

const isWaived = ({ refundHours, refundFeeCents }: SoldTerms) =>
  refundHours === WAIVED_COLUMNS.refund_hours &&
  refundFeeCents === centsFromNumeric(WAIVED_COLUMNS.refund_fee_eur);

export function soldTerms(row: {
  price_eur: string;
  refund_hours: number;
  refund_fee_eur: string;
  uses_free_session: boolean;
  free_cancel_until?: Date | null;
}): SoldTerms {
  const priceCents = centsFromNumeric(row.price_eur);
  return {
    priceCents,
    refundHours: row.refund_hours,
    refundFeeCents: centsFromNumeric(row.refund_fee_eur),
    isUncharged: priceCents === 0 && !row.uses_free_session,
    freeUntil: row.free_cancel_until ?? null,
  };
}

/** Promoted late, and not long ago: all that was taken comes back, a free session too. */
export function isInGrace({ freeUntil }: SoldTerms, now: Date): boolean {
  return !!freeUntil && now <= freeUntil;
}

/** Exactly at the deadline still counts. */
export function isInTime(terms: SoldTerms, startsAt: Date, now: Date): boolean {
  return isInGrace(terms, now) || now <= refundDeadline(startsAt, terms.refundHours);
}

/** A player cancels. A used free session stays used, but for a late promotion. */
export function creditsBackCents(terms: SoldTerms, startsAt: Date, now: Date): number {
  if (isInGrace(terms, now)) return terms.priceCents;
  if (!isInTime(terms, startsAt, now)) return 0;
  return Math.max(0, terms.priceCents - terms.refundFeeCents);
}

/** What comes back for a spot given up too late for a refund, once somebody else takes it. */
export function lateRefundCents(terms: SoldTerms, startsAt: Date, now: Date): number {
  if (creditsBackCents(terms, startsAt, now) > 0) return 0;
  return Math.max(0, terms.priceCents - terms.refundFeeCents);
}

type Seat = { paymentStatus: PaymentStatus; priceCents: number; usesFreeSession: boolean };

/** The organiser cancels the game: the full price whatever the hour, or the free session. */
export function refundOfCancelledGame(seat: Seat) {
  const creditsBackCents = seat.paymentStatus === "Paid" ? seat.priceCents : 0;
  return { creditsBackCents, isFreeSessionBack: seat.usesFreeSession };
}

export type Refund = ReturnType<typeof refundOfCancelledGame>;

/** The organiser removes a player: as if the game was cancelled, or nothing, as they choose. */
export function refundOfRemoval(seat: Seat, withRefund: boolean): Refund {
  if (withRefund) return refundOfCancelledGame(seat);
  return { creditsBackCents: 0, isFreeSessionBack: false };
}

export const statusAfterRefund = (cents: number): "Refunded" | "Cancelled" =>
  cents > 0 ? "Refunded" : "Cancelled";

/** Never change it: sumRefundsOfGame finds these refunds by this note. */
export const CALLED_OFF_NOTE = "The game was cancelled by the organiser";

/** The last instant at which a cancellation gives credits back; hours are elapsed hours. */
export function refundDeadline(startsAt: Date, refundHours: number): Date {
  return new Date(startsAt.getTime() - refundHours * 3_600_000);
}

export function cancelQuote(terms: SoldTerms, startsAt: Date, now: Date, waiting = 0): string {
  if (terms.isUncharged) {
    const cash = isInTime(terms, startsAt, now) ? CASH_BACK : CASH_BETWEEN_YOU;
    return `No credits were taken for this game, so none come back. ${cash}`;
  }
  if (terms.priceCents === 0 && isInGrace(terms, now)) return "You'll get your free session back.";
  if (terms.priceCents === 0) {
    return "This game is free. Cancelling is irreversible: you won't get another free session.";
  }
  const refund = creditsBackCents(terms, startsAt, now);
  if (refund > 0) return `You'll get ${creditsText(refund)} credits back.`;
  const late = lateRefundCents(terms, startsAt, now);
  if (late > 0) return `${lateRefundText(late)} ${waitingText(waiting)}`;
  const deadline = weekdayAndTime(refundDeadline(startsAt, terms.refundHours));
  return `You won't get credits back: cancelling with a refund was possible until ${deadline}.`;
}

export function lateRefundText(cents: number): string {
  const back = `${creditsText(cents)} credits come back`;
  return `Nothing comes back now. ${back} if somebody takes your spot before kick-off.`;
}

export function waitingText(waiting: number): string {
  if (waiting === 0) return "Nobody is waiting yet.";
  return waiting === 1 ? "1 person is waiting." : `${waiting} people are waiting.`;
}

const CASH_BACK = "What you paid by hand, the organiser gives back.";
const CASH_BETWEEN_YOU = "What you paid is between you and the organiser.";

export function cancelTerms(terms: SoldTerms, startsAt: Date, now: Date): string {
  if (terms.isUncharged) return "No credits were taken for this game";
  const { freeUntil } = terms;
  // A moved game may be left for free until kick-off, even by players who came late.
  if (freeUntil && isInGrace(terms, now) && !isWaived(terms)) {
    return `Free cancellation until ${weekdayAndTime(freeUntil)}`;
  }
  if (terms.priceCents === 0) return "Cancelling a free game is irreversible";
  const deadline = refundDeadline(startsAt, terms.refundHours);
  const late = lateRefundCents(terms, startsAt, now);
  if (now < startsAt && late > 0) {
    return `Cancel, and ${creditsText(late)} credits come back once somebody takes your spot`;
  }
  if (now > deadline) return "No refund any more";
  if (isWaived(terms)) return `Free cancellation until ${dayAndTime(deadline, now)}`;
  const back = creditsText(creditsBackCents(terms, startsAt, now));
  return `Cancel by ${weekdayAndTime(deadline)} to get ${back} credits back`;
}

export const CANCELLATION_POLICY = [
  `A paid game cancelled at least ${REFUND_HOURS} hours before kick-off is refunded in full minus ` +
    `a €${numericFromCents(REFUND_FEE_CENTS)} fee.`,
  `Under ${REFUND_HOURS} hours before kick-off it is non-refundable.`,
  "Cancelling a free game is irreversible.",
  "If somebody takes a spot that was given back late, its price minus the fee comes back by itself.",
];

export const distinctNotes = (notes: string[]) => [...new Set(notes.filter(Boolean))];
