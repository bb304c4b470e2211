import { removeFailedMail, sendFailedMail } from "#app/features/players/failed-mails.server.ts";
import { removeMessage } from "#app/features/chat/remove-message.server.ts";
import { findTicket } from "#app/features/support/inbox.server.ts";
import { answerInput, rejectionInput } from "#app/features/support/input.ts";
import { answerTicket, markTicket } from "#app/features/support/tickets.server.ts";
import { markPaidBack, rejectWithdrawal } from "#app/features/support/withdraw-purchase.server.ts";
import { fail, formActions, parseForm, type Posted } from "#app/forms/form-action.server.ts";
import { readShown } from "#app/platform/as-shown.ts";
import { isId } from "#app/platform/ids.ts";
import { adminOf } from "#app/routes/admin/admin-action.server.ts";
import type { Route as MailRoute } from "./+types/mail";
import type { Route as TicketRoute } from "./+types/ticket";

type TicketArgs = TicketRoute.ActionArgs & Posted;
type MailArgs = MailRoute.ActionArgs & Posted;

export const ticketAction = formActions({
  answer: { failed: "Failed to send answer", keep: ["answer"], run: answer },
  "paid-back": { failed: "Failed to mark as refunded", run: markRefunded },
  reject: { failed: "Failed to reject withdrawal", keep: ["reason"], run: reject },
  "remove-message": { failed: "Failed to remove message", run: removeReported },
  done: { failed: "Failed to mark as done", run: markDone },
  open: { failed: "Failed to reopen", run: reopen },
});

export const mailAction = formActions({
  "send-again": { failed: "Failed to send email", isRepeatUnsafe: true, run: sendAgain },
  remove: { failed: "Failed to remove email", isRepeatUnsafe: true, run: remove },
});

const INCOMPLETE = "The form was not complete. Please try again.";

async function answer(args: TicketArgs) {
  const { db, jobs, now, actor, done } = adminOf(args);
  const { answerId = "", seen = "" } = args.fields;
  const input = parseForm(answerInput, args.fields);
  if (!isId(answerId) || !isCount(seen)) return fail(400, { formError: INCOMPLETE });
  const { ticketId } = args.params;
  const form = { ticketId, actor, ...input, answerId, seen: Number(seen), now: now() };
  const result = await answerTicket(db, jobs, form);
  if (result.ok) return done(pathOf(args), "Answer sent");
  return fail(409, { formError: ANSWER_ERRORS[result.reason] });
}

async function markRefunded(args: TicketArgs) {
  const { db, now, actor, done } = adminOf(args);
  if (args.fields.refunded !== "on") {
    const refunded = "Refund it at Stripe first, then tick the box.";
    return fail(422, { fieldErrors: { refunded } });
  }
  const { ticketId } = args.params;
  const shown = readShown(args.fields.shown);
  const result = await markPaidBack(db, { ticketId, actor, shown, now: now() });
  if (result.ok) return done(pathOf(args), "Marked as refunded");
  return fail(409, { formError: REFUND_ERRORS[result.reason] });
}

async function reject(args: TicketArgs) {
  const { db, jobs, now, actor, done } = adminOf(args);
  const { reason } = parseForm(rejectionInput, args.fields);
  const result = await rejectWithdrawal(db, jobs, {
    ticketId: args.params.ticketId,
    actor,
    reason,
    now: now(),
  });
  if (result.ok) return done(pathOf(args), "Withdrawal rejected");
  return fail(409, { formError: result.reason === "too-late" ? TOO_LATE : NO_WITHDRAWAL });
}

async function markDone(args: TicketArgs) {
  const { db, actor, done } = adminOf(args);
  const { ticketId } = args.params;
  const { seen = "" } = args.fields;
  if (!isCount(seen)) return fail(400, { formError: INCOMPLETE });
  const result = await markTicket(db, { ticketId, actor, status: "done", seen: Number(seen) });
  if (result.ok) return done(pathOf(args), "Marked as done");
  return fail(409, { formError: MARK_ERRORS[result.reason] });
}

async function reopen(args: TicketArgs) {
  const { db, actor, done } = adminOf(args);
  const { ticketId } = args.params;
  const result = await markTicket(db, { ticketId, actor, status: "open" });
  if (result.ok) return done(pathOf(args), "Reopened");
  return fail(409, { formError: MARK_ERRORS[result.reason] });
}

const isCount = (text: string) => /^\d{1,6}$/.test(text);

async function removeReported(args: TicketArgs) {
  const { db, now, actor: userId, done } = adminOf(args);
  const ticket = await findTicket(db, args.params.ticketId);
  const reported = ticket?.reported;
  if (!reported) return fail(409, { formError: "There is no such message in a chat any more." });
  const { gameId, id: messageId } = reported;
  const result = await removeMessage(db, { gameId, messageId, userId, now: now() });
  if (result.ok) return done(pathOf(args), "Removed from the chat");
  return fail(409, { formError: "There is no such message in a chat any more." });
}

const pathOf = ({ params }: TicketArgs) => `/admin/inbox/${params.ticketId}`;

const GONE = "The account is deleted: there is nobody to answer any more.";
const NOTHING_DUE = "This withdrawal was rejected or taken back: there is nothing to refund.";
const TOO_LATE = "This withdrawal is refunded or was taken back already.";
const NO_WITHDRAWAL = "This is not a withdrawal.";
const ANSWER_ERRORS = {
  gone: GONE,
  answered:
    "Somebody else has answered meanwhile. Read that answer above; send yours again if it still adds something.",
  replied:
    "Not sent: the player has replied meanwhile. Read the reply above; send yours again if it still answers it.",
};
const REFUND_ERRORS = {
  ended: NOTHING_DUE,
  "no-withdrawal": NO_WITHDRAWAL,
  changed: "Not marked: how much is refunded, or to whom, has changed. Look at it again.",
};
const MARK_ERRORS = {
  gone: GONE,
  answered: "Not marked as done: somebody else has answered meanwhile. Read that answer first.",
  replied: "Not marked as done: the player has replied meanwhile. Read the reply first.",
  "not-paid-back": "A withdrawal is done when it is refunded.",
  ended: NOTHING_DUE,
};

async function sendAgain(args: MailArgs) {
  const { db, jobs, now, actor, done } = adminOf(args);
  const { mailId } = args.fields;
  if (!isId(mailId)) return fail(400, { formError: INCOMPLETE });
  const result = await sendFailedMail(db, jobs, { id: mailId, actor, now: now() });
  if (!result.ok) return fail(409, { formError: MAIL_ERRORS[result.reason] });
  return done("/admin/inbox/mail", "The email is sent again");
}

async function remove(args: MailArgs) {
  const { db, now, actor, done } = adminOf(args);
  const { mailId } = args.fields;
  if (!isId(mailId)) return fail(400, { formError: INCOMPLETE });
  const result = await removeFailedMail(db, { id: mailId, actor, now: now() });
  if (!result.ok) return fail(409, { formError: MAIL_ERRORS[result.reason] });
  return done("/admin/inbox/mail", "Removed from the list");
}

const MAIL_ERRORS = {
  gone: "This email is not on the list any more: it was sent again or removed.",
  lapsed: "The link in this email does not work any more. The player can ask for a new one.",
};
