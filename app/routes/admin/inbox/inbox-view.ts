import type { FailedMail } from "#app/features/players/failed-mails.server.ts";
import type { InboxTicket, SupportTicket } from "#app/features/support/inbox.server.ts";
import { RATINGS, refundTask, type TicketKind } from "#app/features/support/rules.ts";
import type { WithdrawalState } from "#app/features/support/withdrawals.server.ts";
import { formatMoment } from "#app/platform/clock.ts";
import type { Queue } from "#app/platform/jobs.server.ts";
import type { findOutage } from "#app/platform/mail-outage.server.ts";
import { creditsCount, euros } from "#app/platform/money.ts";
import type { BadgeTone } from "#app/ui/badge.tsx";

export const KINDS: Record<TicketKind, { one: string; many: string; tone: BadgeTone }> = {
  message: { one: "Message", many: "Messages", tone: "sky" },
  report: { one: "Chat report", many: "Chat reports", tone: "red" },
  review: { one: "Review", many: "Reviews", tone: "neutral" },
  withdrawal: { one: "Withdrawal", many: "Withdrawals", tone: "amber" },
};

interface StateBadge {
  name: string;
  tone: BadgeTone;
}
const WITHDRAWAL_STATES: Record<WithdrawalState, StateBadge> = {
  waiting: { name: "Refund due", tone: "lime" },
  "paid-back": { name: "Refunded", tone: "green" },
  refused: { name: "Rejected", tone: "red" },
  "taken-back": { name: "Taken back", tone: "neutral" },
};

export function toTicketRow(ticket: InboxTicket) {
  const { id, kind, name, text } = ticket;
  const when = formatMoment(ticket.at);
  return { id, kind, name, title: titleOf(ticket), text, when, state: rowState(ticket) };
}

function rowState({ withdrawalState, status, isAnswered }: InboxTicket): StateBadge | null {
  if (withdrawalState) return WITHDRAWAL_STATES[withdrawalState];
  if (status === "open") return null;
  return { name: isAnswered ? "Answered" : "Done", tone: "green" };
}

const OPEN: StateBadge = { name: "Open", tone: "neutral" };
const DONE: StateBadge = { name: "Done", tone: "green" };

export function toTicketView(ticket: SupportTicket) {
  const { id, kind, text, writer, withdrawal } = ticket;
  const isDone = ticket.status === "done";
  const mark = isDone ? DONE : OPEN;
  return {
    ...{ id, kind, writer, text, isDone },
    title: titleOf(ticket),
    when: formatMoment(ticket.at),
    state: withdrawal ? WITHDRAWAL_STATES[withdrawal.state] : mark,
    withdrawal: withdrawal && toWithdrawalView(withdrawal, isDone),
    reportedUserId: ticket.reportedUserId,
    reported: ticket.reported && toReportedView(ticket.reported),
    answers: ticket.answers.map(({ at, ...answer }) => ({ ...answer, when: formatMoment(at) })),
    // A withdrawal is done once it is refunded, rejected or taken back.
    canMark: !withdrawal || (isDone && !withdrawal.ended),
  };
}
export type TicketView = ReturnType<typeof toTicketView>;

function toReportedView({ id, gameId, number, startsAt, removedBy, ...rest }: Reported) {
  return {
    ...{ id, gameId, isRemoved: removedBy !== null },
    game: `${rest.venueName}, ${formatMoment(startsAt)}`,
    // The page that ends with it, however much was written since.
    path: `/events/${gameId}/chat?before=${number + 1}#message-${id}`,
    before: rest.before.map(({ at, body, name, ...line }) => ({
      ...{
        ...line,
        name: name ?? "Deleted player",
        text: body ?? "Removed",
        when: formatMoment(at),
      },
    })),
  };
}
type Reported = NonNullable<SupportTicket["reported"]>;
export type ReportedView = NonNullable<TicketView["reported"]>;

function titleOf({ subject, rating }: Pick<SupportTicket, "subject" | "rating">): string {
  if (rating === null) return subject ?? "";
  return `${rating} of ${RATINGS.length}: ${RATINGS[rating - 1]}`;
}

function toWithdrawalView(withdrawal: Withdrawal, isDone: boolean) {
  const { refundCents, creditsCents, paidBack, ended, ...rest } = withdrawal;
  return {
    ...rest,
    amount: euros(refundCents),
    credits: creditsCount(creditsCents),
    refunded: paidBack && `${paidBack.by}, ${formatMoment(paidBack.at)}`,
    ended: ended && { ...ended, when: formatMoment(ended.at) },
    task: rest.state === "waiting" ? refundTask(withdrawal) : null,
    canMarkRefunded: !isDone,
    canReject: !paidBack && !ended && !rest.isBegun,
  };
}
type Withdrawal = NonNullable<SupportTicket["withdrawal"]>;
export type WithdrawalView = NonNullable<TicketView["withdrawal"]>;

const MAIL_KINDS: Record<Exclude<Queue, "push.send" | "waitlist.promote">, string> = {
  "mail.confirm-address": "Link to confirm a sign-up",
  "mail.account-exists": "Note that the account exists already",
  "mail.reset-password": "Link to choose a new password",
  "mail.password-changed": "Note that the password was changed",
  "mail.account-security": "Note that two-factor sign-in changed",
  "mail.booking-confirmed": "Booking confirmed",
  "mail.booking-cancelled": "Booking cancelled",
  "mail.too-few-players": "Too few players, to the contact address",
  "mail.called-off": "Called off by itself, to the contact address",
  "mail.played-anyway": "Played anyway",
  "mail.game-cancelled": "Game cancelled",
  "mail.added-to-game": "Added to a game",
  "mail.removed-from-game": "Removed from a game",
  "mail.game-message": "Message to a game's players",
  "mail.game-changed": "Game changed",
  "mail.waitlist-booked": "Booked from the waitlist",
  "mail.spot-offered": "Spot offered",
  "mail.offer-missed": "Offer over",
  "mail.passed-over": "Passed over on the waitlist",
  "mail.waitlist-changed": "Waitlist: game changed",
  "mail.waitlist-ended": "Waitlist over",
  "mail.late-refund": "Refund of a late cancellation",
  "mail.reminder": "Reminder of a game",
  "mail.credits-expiring": "Credits about to expire",
  "mail.support-message": "Support message, to the contact address",
  "mail.review": "Review, to the contact address",
  "mail.withdrawal": "Withdrawal received",
  "mail.withdrawal-ended": "Withdrawal taken back or rejected",
  "mail.answer": "Answer from the inbox",
  "mail.account-deleted": "Account deleted",
};

export function toFailedMailView(mail: FailedMail) {
  const { id, userId, name, hasLapsed } = mail;
  return {
    ...{ id, hasLapsed },
    // An older version may have queued an email that is no longer known.
    kind: (MAIL_KINDS as Partial<Record<string, string>>)[mail.queue] ?? mail.queue,
    player: userId && name ? { userId, name } : null,
    when: formatMoment(mail.failedAt),
    why: causeOf(mail),
  };
}
export type FailedMailView = ReturnType<typeof toFailedMailView>;

function causeOf({ error, code, reason }: FailedMail): string {
  if (error !== "MailError") return "Something went wrong on our side. The log says what.";
  if (/^\d{3}$/.test(code ?? "")) return `The mail server said: ${reason}`;
  if (code === "EENVELOPE" || code === "EMESSAGE") return `It cannot be sent: ${reason}`;
  return "The mail server took no emails for a day.";
}

export function outageText(outage: Awaited<ReturnType<typeof findOutage>>): string | null {
  if (!outage) return null;
  const { since, waiting } = outage;
  const emails = waiting === 1 ? "1 email waits" : `${waiting} emails wait`;
  return `Since ${formatMoment(since)}. ${emails}, and will be sent once it works again.`;
}
