import type { InboxTicket, Letter, PayBack } from "#app/features/support/inbox.server.ts";
import { type TicketKind, RATINGS, refundTask } from "#app/features/support/rules.ts";
import type { WithdrawalState } from "#app/features/support/withdrawals.server.ts";
import { formatMoment } from "#app/platform/clock.ts";
import { creditsCount, euros } from "#app/platform/money.ts";
import type { BadgeTone } from "#app/ui/badge.tsx";

export const KINDS: Record<TicketKind, { one: string; many: string; tone: BadgeTone }> = {
  message: { one: "Message", many: "Messages", tone: "sky" },
  review: { one: "Review", many: "Reviews", tone: "neutral" },
  withdrawal: { one: "Withdrawal", many: "Withdrawals", tone: "amber" },
};

interface StateBadge {
  name: string;
  tone: BadgeTone;
}
const WITHDRAWAL_STATES: Record<WithdrawalState, StateBadge> = {
  waiting: { name: "To pay back", tone: "lime" },
  "paid-back": { name: "Paid back", tone: "green" },
  refused: { name: "Refused", tone: "red" },
  "taken-back": { name: "Taken back", tone: "neutral" },
};

/** A row of the inbox; made on the server. */
export function showRow(letter: InboxTicket) {
  const { id, kind, name, text } = letter;
  return {
    id,
    kind,
    name,
    title: titleOf(letter),
    text,
    when: formatMoment(letter.at),
    state: rowState(letter),
  };
}

function rowState({ withdrawalState, status, isAnswered }: InboxTicket): StateBadge | null {
  if (withdrawalState) return WITHDRAWAL_STATES[withdrawalState];
  if (status === "open") return null;
  return { name: isAnswered ? "Answered" : "Done", tone: "green" };
}
export type RowWords = ReturnType<typeof showRow>;

/** A letter's own page, in words. */
export function showLetter(letter: Letter) {
  const { id, kind, status, text, writer, withdrawal } = letter;
  const isDone = status === "done";
  const mark: StateBadge = isDone
    ? { name: "Done", tone: "green" }
    : { name: "Open", tone: "neutral" };
  return {
    id,
    kind,
    writer,
    title: titleOf(letter),
    text,
    when: formatMoment(letter.at),
    isDone,
    state: withdrawal ? WITHDRAWAL_STATES[withdrawal.state] : mark,
    withdrawal: withdrawal && showPayBack(withdrawal),
    answers: letter.answers.map(({ at, ...answer }) => ({ ...answer, when: formatMoment(at) })),
  };
}
export type LetterWords = ReturnType<typeof showLetter>;

function titleOf({ subject, rating }: Pick<Letter, "subject" | "rating">): string {
  if (rating === null) return subject ?? "";
  return `${rating} of ${RATINGS.length}: ${RATINGS[rating - 1]}`;
}

function showPayBack({ refundCents, creditsCents, paidBack, ended, ...withdrawal }: PayBack) {
  return {
    ...withdrawal,
    amount: euros(refundCents),
    credits: creditsCount(creditsCents),
    paidBack: paidBack && `${paidBack.by}, ${formatMoment(paidBack.at)}`,
    ended: ended && { ...ended, when: formatMoment(ended.at) },
    task: withdrawal.state === "waiting" ? refundTask({ ...withdrawal, refundCents }) : null,
    canRefuse: !paidBack && !ended && !withdrawal.isBegun,
  };
}
export type PayBackWords = NonNullable<LetterWords["withdrawal"]>;
