import { removeFailedMail, sendFailedMail } from "#app/features/players/failed-mails.server.ts";
import { answerInput, rejectionInput } from "#app/features/support/input.ts";
import { answerTicket, markTicket } from "#app/features/support/tickets.server.ts";
import { markPaidBack, rejectWithdrawal } from "#app/features/support/withdraw-purchase.server.ts";
import { fail, formActions, parseForm, type Posted } from "#app/forms/form-action.server.ts";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import { isId } from "#app/platform/ids.ts";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import type { Route as MailRoute } from "./+types/mail";
import type { Route as TicketRoute } from "./+types/ticket";

type TicketArgs = TicketRoute.ActionArgs & Posted;
type MailArgs = MailRoute.ActionArgs & Posted;

export const ticketAction = formActions({
  answer: { failed: "Failed to send answer", keep: ["answer"], run: answer },
  "paid-back": { failed: "Failed to mark as refunded", run: markRefunded },
  reject: { failed: "Failed to reject withdrawal", keep: ["reason"], run: reject },
  done: { failed: "Failed to mark as done", run: (args) => mark(args, "done") },
  open: { failed: "Failed to reopen", run: (args) => mark(args, "open") },
});

export const mailAction = formActions({
  "send-again": { failed: "Failed to send email", isOnce: true, run: sendAgain },
  remove: { failed: "Failed to remove email", isOnce: true, run: remove },
});

const INCOMPLETE = "The form was not complete. Please try again.";

async function answer(args: TicketArgs) {
  const { db, jobs, now } = args.context.get(appContext);
  const { answerId = "", seen = "" } = args.fields;
  const input = parseForm(answerInput, args.fields);
  if (!isId(answerId) || !/^\d{1,6}$/.test(seen)) return fail(400, { formError: INCOMPLETE });
  const reply = { ...targetOf(args), ...input, answerId, seen: Number(seen), now: now() };
  const result = await answerTicket(db, jobs, reply);
  if (result.ok) return redirectToTicket(args, "Answer sent");
  return fail(409, { formError: ANSWER_ERRORS[result.reason] });
}

async function markRefunded(args: TicketArgs) {
  const { db, now } = args.context.get(appContext);
  if (args.fields.refunded !== "on") {
    const refunded = "Refund it at Stripe first, then tick the box.";
    return fail(422, { fieldErrors: { refunded } });
  }
  const result = await markPaidBack(db, { ...targetOf(args), now: now() });
  if (result.ok) return redirectToTicket(args, "Marked as refunded");
  return fail(409, { formError: REFUND_ERRORS[result.reason] });
}

async function reject(args: TicketArgs) {
  const { db, jobs, now } = args.context.get(appContext);
  const { reason } = parseForm(rejectionInput, args.fields);
  const result = await rejectWithdrawal(db, jobs, { ...targetOf(args), reason, now: now() });
  if (result.ok) return redirectToTicket(args, "Withdrawal rejected");
  return fail(409, { formError: result.reason === "too-late" ? TOO_LATE : NO_WITHDRAWAL });
}

async function mark(args: TicketArgs, status: "open" | "done") {
  const { db } = args.context.get(appContext);
  const result = await markTicket(db, { ...targetOf(args), status });
  if (result.ok) return redirectToTicket(args, status === "done" ? "Marked as done" : "Reopened");
  return fail(409, { formError: MARK_ERRORS[result.reason] });
}

function targetOf({ context, params }: TicketArgs) {
  return { ticketId: params.ticketId, actor: context.get(viewerContext).userId };
}

function redirectToTicket({ context, params }: TicketArgs, title: string) {
  const { env } = context.get(appContext);
  return redirectWithToast(env, `/admin/inbox/${params.ticketId}`, { title });
}

const GONE = "The account is deleted: there is nobody to answer any more.";
const NOTHING_DUE = "This withdrawal was rejected or taken back: there is nothing to refund.";
const TOO_LATE = "This withdrawal is refunded or was taken back already.";
const NO_WITHDRAWAL = "This is not a withdrawal.";
const ANSWER_ERRORS = {
  gone: GONE,
  answered:
    "Somebody else has answered meanwhile. Read that answer above; send yours again if it still adds something.",
};
const REFUND_ERRORS = { ended: NOTHING_DUE, "no-withdrawal": NO_WITHDRAWAL };
const MARK_ERRORS = {
  gone: GONE,
  "not-paid-back": "A withdrawal is done when it is refunded.",
  ended: NOTHING_DUE,
};

async function sendAgain({ context, fields }: MailArgs) {
  const { db, jobs, env, now } = context.get(appContext);
  const { userId: actor } = context.get(viewerContext);
  if (!isId(fields.mailId)) return fail(400, { formError: INCOMPLETE });
  const result = await sendFailedMail(db, jobs, { id: fields.mailId, actor, now: now() });
  if (!result.ok) return fail(409, { formError: MAIL_ERRORS[result.reason] });
  return redirectWithToast(env, "/admin/inbox/mail", { title: "The email is sent again" });
}

async function remove({ context, fields }: MailArgs) {
  const { db, env, now } = context.get(appContext);
  const { userId: actor } = context.get(viewerContext);
  if (!isId(fields.mailId)) return fail(400, { formError: INCOMPLETE });
  const result = await removeFailedMail(db, { id: fields.mailId, actor, now: now() });
  if (!result.ok) return fail(409, { formError: MAIL_ERRORS[result.reason] });
  return redirectWithToast(env, "/admin/inbox/mail", { title: "Removed from the list" });
}

const MAIL_ERRORS = {
  gone: "This email is not on the list any more: it was sent again or removed.",
  lapsed: "The link in this email does not work any more. The player can ask for a new one.",
};
