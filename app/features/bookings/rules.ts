import { weekdayAndTime } from "#app/platform/clock.ts";
import { centsFromNumeric, creditsText } from "#app/platform/money.ts";

/** At least 24 hours before kick-off the price comes back minus 0.99; later nothing. */
export const REFUND_HOURS = 24;
export const REFUND_FEE_CENTS = 99;

/**
 * What the ledger says of a refund after a game was called off. It never changes: by these words
 * what a called-off game gave back is told from a refund to who left before.
 */
export const CALLED_OFF_NOTE = "The game was cancelled by the organiser";

/** A booking keeps the price and the rule as sold. */
export interface SoldTerms {
  priceCents: number;
  refundHours: number;
  refundFeeCents: number;
  /** Not paid in credits and no free session: it was settled with the organiser. */
  isPaidElsewhere?: boolean;
}

interface TermsRow {
  price_eur: string;
  refund_hours: number;
  refund_fee_eur: string;
  uses_free_session: boolean;
}

/** The terms as the booking's row keeps them. */
export function soldTerms(row: TermsRow): SoldTerms {
  const priceCents = centsFromNumeric(row.price_eur);
  return {
    priceCents,
    refundHours: row.refund_hours,
    refundFeeCents: centsFromNumeric(row.refund_fee_eur),
    isPaidElsewhere: priceCents === 0 && !row.uses_free_session,
  };
}

/** The last instant at which a cancellation gives credits back; hours are elapsed hours. */
export function refundDeadline(startsAt: Date, refundHours = REFUND_HOURS): Date {
  return new Date(startsAt.getTime() - refundHours * 3_600_000);
}

/** What cancelling at `now` gives back, in cents. Exactly at the deadline still counts. */
export function refundCents(terms: SoldTerms, startsAt: Date, now: Date): number {
  if (now > refundDeadline(startsAt, terms.refundHours)) return 0;
  return Math.max(0, terms.priceCents - terms.refundFeeCents);
}

/** Only while Paid, and before kick-off. */
export function isCancellable(
  booking: { paymentStatus: string; startsAt: Date },
  now: Date,
): boolean {
  return booking.paymentStatus === "Paid" && now < booking.startsAt;
}

/** What the confirm prompt says before a cancellation is done. */
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

/** When a ticket can be cancelled at what cost, such as on My Games. */
export function cancelTerms(terms: SoldTerms, startsAt: Date, now: Date): string {
  if (terms.isPaidElsewhere) return "No credits were taken for this game";
  if (terms.priceCents === 0) return "Cancelling a free game is irreversible";
  const deadline = refundDeadline(startsAt, terms.refundHours);
  if (now > deadline) return "No refund any more";
  if (isFreelyCancellable(terms)) return `Free cancellation until ${weekdayAndTime(deadline)}`;
  const back = creditsText(refundCents(terms, startsAt, now));
  return `${back} credits back until ${weekdayAndTime(deadline)}`;
}

/** The whole price comes back until kick-off, such as after the organiser has moved the game. */
function isFreelyCancellable(terms: SoldTerms): boolean {
  return terms.priceCents > 0 && terms.refundHours === 0 && terms.refundFeeCents === 0;
}

/** The cancellation policy in words: game page, plan dialog and default Terms say the same. */
export const CANCELLATION_POLICY = [
  `A paid game cancelled at least ${REFUND_HOURS} hours before kick-off is refunded in full minus ` +
    `a €${(REFUND_FEE_CENTS / 100).toFixed(2)} fee.`,
  `Under ${REFUND_HOURS} hours before kick-off it is non-refundable.`,
  "Cancelling a free game is irreversible.",
];

/** What its players need to know of a game; times as "HH:MM" by Helsinki's clock. */
export interface GameFacts {
  date: string;
  startTime: string;
  endTime: string;
  venueId: string;
  maxPlayers: number;
  isFirstSessionFree: boolean;
}
