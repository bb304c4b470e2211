import { addDays } from "#app/platform/clock.ts";
import { euros } from "#app/platform/money.ts";

export const SUBJECT_MAX = 120;
export const MESSAGE_MAX = 5_000;
export const COMMENT_MAX = 2_000;
export const ANSWER_MAX = 5_000;
export const REJECTION_MAX = 1_000;
/** Per player and kind, since each is mailed. */
export const TICKETS_PER_HOUR = 10;
/** By email, of one ticket. */
export const REPLIES_PER_HOUR = 20;
export const SENT_TOO_OFTEN = "You have sent many of these. Please try again in an hour.";

export const RATINGS = ["Poor", "Fair", "Good", "Great", "Superb"] as const;

export const WITHDRAWAL_DAYS = 14;

// Both "YYYY-MM-DD". The day of purchase does not count, and a period never ends on a weekend
// (Regulation 1182/71); public holidays are left to goodwill (docs/decisions/015).
export function lastWithdrawalDay(paidOn: string): string {
  const day = new Date(`${paidOn}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + WITHDRAWAL_DAYS);
  const onToMonday = { 6: 2, 0: 1 }[day.getUTCDay()] ?? 0;
  day.setUTCDate(day.getUTCDate() + onToMonday);
  return day.toISOString().slice(0, 10);
}

/** The last day for the refund of a stated withdrawal; `daysLeft` is below 0 when overdue. */
export function refundDue(statedOn: string, today: string): { dueOn: string; daysLeft: number } {
  const dueOn = addDays(statedOn, WITHDRAWAL_DAYS);
  return { dueOn, daysLeft: Math.round((Date.parse(dueOn) - Date.parse(today)) / 86_400_000) };
}

export function dueText(daysLeft: number): string {
  const days = Math.abs(daysLeft) === 1 ? "1 day" : `${Math.abs(daysLeft)} days`;
  if (daysLeft === 0) return "due today";
  return daysLeft > 0 ? `due in ${days}` : `${days} overdue`;
}

// In euro cents, in proportion to the unused credits: rounded up, unless the refund would then reclaim
// a cent of credits too many and leave a debt.
export function withdrawalRefundCents(payment: {
  amountCents: number;
  creditsCents: number;
  refundedCents: number;
  reclaimedCents: number;
  unusedCents: number;
}): number {
  const { amountCents, creditsCents, refundedCents, reclaimedCents, unusedCents } = payment;
  if (unusedCents === 0) return 0;
  const inProportion = Math.ceil((amountCents * unusedCents) / creditsCents);
  const firstTooMuch = Math.ceil((amountCents * (reclaimedCents + unusedCents + 1)) / creditsCents);
  const most = Math.min(firstTooMuch - 1, amountCents) - refundedCents;
  return Math.max(Math.min(inProportion, most), 0);
}

export function refundTask(withdrawal: { refundCents: number; isMonthly: boolean }): string {
  const { refundCents, isMonthly } = withdrawal;
  const refund = `Refund ${euros(refundCents)} of this payment at Stripe within ${WITHDRAWAL_DAYS} days.`;
  if (!isMonthly) return refund;
  return `${refund} It is a month of a subscription: end the subscription as well.`;
}

const GREETINGS = ["hi", "hello", "hey", "dear", "hei", "moi", "moikka", "terve", "good"];

/** The email of an answer greets only where the organiser has not. */
export function startsWithGreeting(answer: string): boolean {
  const [word = ""] = answer.toLowerCase().split(/[^a-z]/, 1);
  return GREETINGS.includes(word);
}

export const TICKET_KINDS = ["message", "report", "review", "withdrawal"] as const;
export type TicketKind = (typeof TICKET_KINDS)[number];

export const TICKET_STATUSES = ["open", "done"] as const;
export type TicketStatus = (typeof TICKET_STATUSES)[number];

export interface InboxFilter {
  kind: TicketKind | null;
  status: TicketStatus | null;
}

export function parseInboxFilter(query: URLSearchParams): InboxFilter {
  const status = query.get("status") ?? "open";
  return {
    kind: TICKET_KINDS.find((kind) => kind === query.get("kind")) ?? null,
    status: status === "all" ? null : status === "done" ? "done" : "open",
  };
}
