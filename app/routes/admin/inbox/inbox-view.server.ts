import { DONE, OPEN, type StateBadge, titleOf } from "#app/routes/admin/tickets.ts";
import type { FailedMail } from "#app/features/players/failed-mails.server.ts";
import type { InboxTicket, SupportTicket } from "#app/features/support/inbox.server.ts";
import { dueText, refundDue, refundTask } from "#app/features/support/rules.ts";
import { refundFacts } from "#app/features/support/withdraw-purchase.server.ts";
import type { WithdrawalState } from "#app/features/support/withdrawals.server.ts";
import { mailLabel } from "#app/notices.server.ts";
import { writeShown } from "#app/platform/as-shown.ts";
import { formatMoment, helsinkiDate, monthDayYear } from "#app/platform/clock.ts";
import type { Env } from "#app/platform/env.server.ts";
import type { findOutage } from "#app/platform/mail-outage.server.ts";
import { creditsCount, euros } from "#app/platform/money.ts";
import { isSandbox } from "#app/platform/sandbox.ts";
import { dashboardUrl } from "#app/platform/stripe.server.ts";
import { openRefunds } from "#app/routes/admin/refunds.server.ts";
import { PUT_ASIDE } from "#app/platform/waiting-mails.server.ts";

const WITHDRAWAL_STATES: Record<WithdrawalState, StateBadge> = {
  waiting: { name: "Refund due", tone: "lime" },
  "paid-back": { name: "Refunded", tone: "green" },
  refused: { name: "Rejected", tone: "red" },
  "taken-back": { name: "Taken back", tone: "neutral" },
};

export function toTicketRow(ticket: InboxTicket, now: Date) {
  const { id, kind, name, text } = ticket;
  const when = formatMoment(ticket.at);
  return { id, kind, name, title: titleOf(ticket), text, when, state: rowState(ticket, now) };
}

function rowState(ticket: InboxTicket, now: Date): StateBadge | null {
  const { withdrawalState, withdrawalStatedAt, status, isAnswered, isReplied } = ticket;
  if (withdrawalState) return withdrawalBadge(withdrawalState, withdrawalStatedAt!, now);
  if (status === "open") return isReplied ? REPLIED : null;
  return { name: isAnswered ? "Answered" : "Done", tone: "green" };
}

/** "Refund due in 3 days", in red once it is overdue. */
function withdrawalBadge(state: WithdrawalState, statedAt: Date, now: Date): StateBadge {
  if (state !== "waiting") return WITHDRAWAL_STATES[state];
  const { daysLeft } = refundDue(helsinkiDate(statedAt), helsinkiDate(now));
  const tone = daysLeft < 0 ? "red" : daysLeft <= 3 ? "amber" : WITHDRAWAL_STATES.waiting.tone;
  return { name: `Refund ${dueText(daysLeft)}`, tone };
}

const REPLIED: StateBadge = { name: "Replied", tone: "sky" };
export function toTicketView(
  ticket: SupportTicket,
  { env, now }: { env: Pick<Env, "demo" | "stripeSecretKey">; now: Date },
) {
  const { id, kind, text, writer, withdrawal } = ticket;
  const isDone = ticket.status === "done";
  const mark = isDone ? DONE : OPEN;
  return {
    ...{ id, kind, writer, text, isDone },
    title: titleOf(ticket),
    when: formatMoment(ticket.at),
    state: withdrawal ? withdrawalBadge(withdrawal.state, withdrawal.statedAt, now) : mark,
    withdrawal: withdrawal && toWithdrawalView(withdrawal, { writer, isDone, env, now }),
    reportedUserId: ticket.reportedUserId,
    reported: ticket.reported && toReportedView(ticket.reported),
    thread: ticket.thread.map(({ at, by, ...entry }) => ({
      ...{ ...entry, by: by ?? writer.name, isReply: by === null, when: formatMoment(at) },
    })),
    // A withdrawal is done once it is refunded, rejected or taken back.
    canMark: !withdrawal || (isDone && !withdrawal.ended),
  };
}
export type TicketView = ReturnType<typeof toTicketView>;

function toReportedView({ id, gameId, number, startsAt, removedBy, ...rest }: Reported) {
  return {
    ...{ id, gameId, isRemoved: removedBy !== null },
    game: `${rest.venueName}, ${formatMoment(startsAt)}`,
    // The page that ends with the message, however much was written since.
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

interface Seen {
  writer: SupportTicket["writer"];
  isDone: boolean;
  env: Pick<Env, "demo" | "stripeSecretKey">;
  now: Date;
}

function toWithdrawalView(withdrawal: Withdrawal, { writer, isDone, env, now }: Seen) {
  const { refundCents, creditsCents, paidBack, ended, statedAt, ...rest } = withdrawal;
  const { dueOn, daysLeft } = refundDue(helsinkiDate(statedAt), helsinkiDate(now));
  return {
    ...rest,
    // The sandbox has no dashboard.
    dashboard: isSandbox(env) ? null : dashboardUrl(rest, env.stripeSecretKey),
    due: rest.state === "waiting" ? `${monthDayYear(dueOn)}, ${dueText(daysLeft)}` : null,
    amount: euros(refundCents),
    credits: creditsCount(creditsCents),
    refunded: paidBack && `${paidBack.by}, ${formatMoment(paidBack.at)}`,
    ended: ended && { ...ended, when: formatMoment(ended.at) },
    task: rest.state === "waiting" ? refundTask(withdrawal) : null,
    canMarkRefunded: !isDone,
    canRefund: !isDone && rest.state === "waiting" && openRefunds(env) !== null,
    player: writer.name,
    shown: writeShown(refundFacts({ refundCents, playerId: writer.id })),
    canReject: !paidBack && !ended && !rest.isBegun,
  };
}
type Withdrawal = NonNullable<SupportTicket["withdrawal"]>;
export type WithdrawalView = NonNullable<TicketView["withdrawal"]>;

export function toFailedMailView(mail: FailedMail) {
  const { id, userId, name, hasLapsed } = mail;
  return {
    ...{ id, hasLapsed },
    kind: mailLabel(mail.kind),
    player: userId && name ? { userId, name } : null,
    when: formatMoment(mail.failedAt),
    why: causeOf(mail),
  };
}
export type FailedMailView = ReturnType<typeof toFailedMailView>;

function causeOf({ error, code, reason }: FailedMail): string {
  if (error === PUT_ASIDE)
    return "It waited in a backup that was restored, and has probably been sent.";
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
