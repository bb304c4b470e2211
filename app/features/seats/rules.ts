import { dayAndTime, weekdayAndTime } from "#app/platform/clock.ts";
import { centsFromNumeric, creditsText, numericFromCents } from "#app/platform/money.ts";
import type { CancellationStep, PaymentStatus } from "#app/platform/schema.ts";
import type { MoreFacts } from "#app/features/games/shown-game.ts";
import { SALE_TERMS } from "./sale-terms.ts";

export const LIVE = ["Paid", "Unpaid"] as const satisfies PaymentStatus[];

export const isLive = (status: PaymentStatus) => status === "Paid" || status === "Unpaid";

export function isCancellable(booking: { paymentStatus: string; startsAt: Date }, now: Date) {
  return booking.paymentStatus === "Paid" && now < booking.startsAt;
}

/** What one booking was sold under; written by SQL alone, it has the columns' defaults. */
export interface SoldTerms {
  priceCents: number;
  /** The one step of a booking without `steps`. */
  refundHours: number;
  refundFeeCents: number;
  steps?: CancellationStep[];
  /** Promoted from the waitlist so late that it can be given back until then for its full price. */
  freeUntil?: Date | null;
  /** Neither credits nor a free session (any more) are used for it: it is the organiser's. */
  isUncharged?: boolean;
}

/** The one reader of terms in code; in SQL it is `IS_WAIVED`. The last step comes last. */
const cancellationSteps = ({ steps, refundHours: until, refundFeeCents: feeCents }: SoldTerms) =>
  byHours(steps ?? [{ until, feeCents }]);

const byHours = (steps: CancellationStep[]) => steps.toSorted((a, b) => b.until - a.until);

const lastOf = (steps: CancellationStep[]) => byHours(steps).at(-1)!;

/** Hours before kick-off from which on cancelling costs more than at first. */
export function firstRiseHours(terms: CancellationStep[]): number {
  const steps = byHours(terms);
  const rises = ({ feeCents }: CancellationStep, i: number) =>
    feeCents < (steps[i + 1]?.feeCents ?? Infinity);
  return steps.find(rises)!.until;
}

/** The version before reads the two numbers: until when anything comes back, and that fee. */
function termColumns(steps: CancellationStep[]) {
  const { until, feeCents } = lastOf(steps);
  const numbers = { refund_hours: until, refund_fee_eur: numericFromCents(feeCents) };
  return { ...numbers, terms: JSON.stringify(steps) };
}

export const soldColumns = (priceCents: number) => ({
  price_eur: numericFromCents(priceCents),
  ...termColumns(SALE_TERMS),
});

const GIVEN_TERMS = [{ ...lastOf(SALE_TERMS), feeCents: 0 }];

/** The terms of a seat that an organiser gives: no credits are taken, so none can come back. */
export const GIVEN_COLUMNS = {
  price_eur: numericFromCents(0),
  ...termColumns(GIVEN_TERMS),
};

/** The terms after the organiser has moved the game: the full price until kick-off. */
export const WAIVED_COLUMNS = termColumns([{ until: 0, feeCents: 0 }]);

const isWaived = (terms: SoldTerms) =>
  cancellationSteps(terms).every(({ until, feeCents }) => until === 0 && feeCents === 0);

export function soldTerms(row: {
  price_eur: string;
  refund_hours: number;
  refund_fee_eur: string;
  terms?: CancellationStep[] | null;
  uses_free_session: boolean;
  free_cancel_until?: Date | null;
}): SoldTerms {
  const priceCents = centsFromNumeric(row.price_eur);
  return {
    priceCents,
    refundHours: row.refund_hours,
    refundFeeCents: centsFromNumeric(row.refund_fee_eur),
    ...(row.terms && { steps: row.terms }),
    isUncharged: priceCents === 0 && !row.uses_free_session,
    freeUntil: row.free_cancel_until ?? null,
  };
}

/** Promoted late, and not long ago: all that was taken comes back, a free session too. */
export function isInGrace({ freeUntil }: SoldTerms, now: Date): boolean {
  return !!freeUntil && now <= freeUntil;
}

/** Exactly at its end a step still counts. */
const stepAt = (terms: SoldTerms, startsAt: Date, now: Date) =>
  cancellationSteps(terms).find(({ until }) => now <= refundDeadline(startsAt, until));

export function isInTime(terms: SoldTerms, startsAt: Date, now: Date): boolean {
  return isInGrace(terms, now) || !!stepAt(terms, startsAt, now);
}

const afterFee = ({ priceCents }: SoldTerms, { feeCents }: CancellationStep) =>
  Math.max(0, priceCents - feeCents);

/** A player cancels. A used free session stays used, but for a late promotion. */
export function creditsBackCents(terms: SoldTerms, startsAt: Date, now: Date): number {
  if (isInGrace(terms, now)) return terms.priceCents;
  const step = stepAt(terms, startsAt, now);
  return step ? afterFee(terms, step) : 0;
}

/** What comes back for a spot given up too late for a refund, once somebody else takes it: as much
 * as in the last step, so that it never pays to wait. */
export function lateRefundCents(terms: SoldTerms, startsAt: Date, now: Date): number {
  if (creditsBackCents(terms, startsAt, now) > 0) return 0;
  return afterFee(terms, cancellationSteps(terms).at(-1)!);
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

/** The sentence of the dialog that cancels. */
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
  if (refund > 0) {
    return `You'll get ${creditsText(refund)} credits back${laterText(terms, startsAt, now)}.`;
  }
  const late = lateRefundCents(terms, startsAt, now);
  if (late > 0) return `${lateRefundText(late)} ${waitingText(waiting)}`;
  const steps = cancellationSteps(terms);
  const { until } = steps.findLast((step) => afterFee(terms, step) > 0) ?? steps.at(-1)!;
  const deadline = weekdayAndTime(refundDeadline(startsAt, until));
  return `You won't get credits back: cancelling with a refund was possible until ${deadline}.`;
}

/** How several steps go on: " until Tue 19:00, 7 until Wed 19:00, then nothing". */
function laterText(terms: SoldTerms, startsAt: Date, now: Date): string {
  if (isInGrace(terms, now) || cancellationSteps(terms).length === 1) return "";
  const [first, ...later] = refundsAhead(terms, startsAt, now);
  const rest = later.map(({ credits, ends }) => `, ${credits} until ${ends}`);
  return ` until ${first!.ends}${rest.join("")}, then nothing`;
}

/** The steps that still give something back, the present one first. */
function refundsAhead(terms: SoldTerms, startsAt: Date, now: Date) {
  return cancellationSteps(terms)
    .map((step) => ({ at: refundDeadline(startsAt, step.until), cents: afterFee(terms, step) }))
    .filter(({ at, cents }) => now <= at && cents > 0)
    .map(({ at, cents }) => ({ at, ends: weekdayAndTime(at), credits: creditsText(cents) }));
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

/** The line of the ticket, the emails and the calendar file. */
export function cancelTerms(terms: SoldTerms, startsAt: Date, now: Date): string {
  if (terms.isUncharged) return "No credits were taken for this game";
  const { freeUntil } = terms;
  // A moved game may be left for free until kick-off, even by players who came late.
  if (freeUntil && isInGrace(terms, now) && !isWaived(terms)) {
    return `Free cancellation until ${weekdayAndTime(freeUntil)}`;
  }
  if (terms.priceCents === 0) return "Cancelling a free game is irreversible";
  const late = lateRefundCents(terms, startsAt, now);
  if (now < startsAt && late > 0) {
    return `Cancel, and ${creditsText(late)} credits come back once somebody takes your spot`;
  }
  const [next, ...later] = refundsAhead(terms, startsAt, now);
  if (!next) return "No refund any more";
  if (isWaived(terms)) return `Free cancellation until ${dayAndTime(next.at, now)}`;
  const rest = later.map(({ credits, ends }) => `, by ${ends} to get ${credits}`);
  return `Cancel by ${next.ends} to get ${next.credits} credits back${rest.join("")}`;
}

/** The policy of games that the reader has not booked. */
export const CANCELLATION_POLICY = cancellationPolicy(byHours(SALE_TERMS));

/** The same in a line, where the whole is a tap away. */
export const CANCELLATION_IN_SHORT = policyInShort(byHours(SALE_TERMS));

function policyInShort(steps: CancellationStep[]): string {
  const minus = ({ feeCents }: CancellationStep) =>
    feeCents > 0 ? `, minus ${creditsText(feeCents)}` : "";
  const [first, ...later] = steps;
  const rest = later.map((step) => `; at least ${step.until} hours before${minus(step)}`).join("");
  const back = `and your credits come back${minus(first!)}`;
  return `Cancel at least ${first!.until} hours before kick-off ${back}${rest}.`;
}

const REFUND_POLICY = CANCELLATION_POLICY.slice(0, SALE_TERMS.length + 1).join(" ");

/** The terms that a join's page promises, for its form. */
export const saleText = () => JSON.stringify(SALE_TERMS);

/** Named "cancellation", as the "terms" of a wait are what it agrees to. */
export const saleFact = (): MoreFacts => ({
  cancellation: [saleText(), `The cancellation policy is now: ${REFUND_POLICY}`],
});

/** The policy for who is in. */
export function ownPolicy(terms: SoldTerms, startsAt: Date, now: Date): string[] {
  const isMoved = isWaived(terms);
  if (!isMoved && !terms.isUncharged && !isInGrace(terms, now)) {
    return cancellationPolicy(cancellationSteps(terms));
  }
  const why = isMoved && creditsBackCents(terms, startsAt, now) > 0 ? ` ${MOVED}` : "";
  return [`${cancelTerms(terms, startsAt, now)}.${why}`];
}

const MOVED = "The game was changed after you joined, so the full price comes back.";

function cancellationPolicy([first, ...later]: CancellationStep[]): string[] {
  const last = later.at(-1) ?? first!;
  const lastFee = last.feeCents > 0 ? ` minus the ${later.length > 0 ? "last " : ""}fee` : "";
  return [
    `A paid game cancelled at least ${first!.until} hours before kick-off is refunded in full` +
      `${minusFee(first!)}.`,
    ...later.map(
      (step) => `At least ${step.until} hours before kick-off it is refunded${minusFee(step)}.`,
    ),
    `Under ${last.until} hours before kick-off it is non-refundable.`,
    "Cancelling a free game is irreversible.",
    `If somebody takes a spot that was given back late, its price${lastFee} comes back by itself.`,
  ];
}

/** Empty for a step without a fee. */
export function minusFee({ feeCents }: CancellationStep): string {
  return feeCents > 0 ? ` minus a €${numericFromCents(feeCents)} fee` : "";
}

export const distinctNotes = (notes: string[]) => [...new Set(notes.filter(Boolean))];
