import { removeFailedMail, sendFailedMail } from "#app/features/players/failed-mails.server.ts";
import { removeMessage } from "#app/features/chat/remove-message.server.ts";
import { findTicket } from "#app/features/support/inbox.server.ts";
import { answerInput, rejectionInput } from "#app/features/support/input.ts";
import { answerTicket, markTicket } from "#app/features/support/tickets.server.ts";
import { refundWithdrawal } from "#app/features/support/refund-withdrawal.server.ts";
import { markPaidBack, rejectWithdrawal } from "#app/features/support/withdraw-purchase.server.ts";
import {
  FieldError,
  formActions,
  IncompleteError,
  type Posted,
} from "#app/forms/form-action.server.ts";
import { formRows, rejected } from "#app/forms/form-rows.server.ts";
import { readShown } from "#app/platform/as-shown.ts";
import { formKeyOf, isId } from "#app/platform/ids.ts";
import { euros } from "#app/platform/money.ts";
import { openRefunds, REFUND_ERRORS, REFUND_TITLES } from "#app/routes/admin/refunds.server.ts";
import { adminOf, adminRow } from "#app/routes/admin/admin-action.server.ts";
import type { Route } from "./+types/ticket";

const ticketRow = formRows(({ params: { ticketId }, ...args }: Route.ActionArgs & Posted) => {
  const app = adminOf(args);
  return { ...app, ticket: { ticketId, actor: app.actor, now: app.now() } };
});

const NOTHING_PENDING = "This withdrawal was rejected or taken back: there is nothing to refund.";
const NO_WITHDRAWAL = "This is not a withdrawal.";
const NO_MESSAGE = "There is no such message in a chat any more.";
const GONE = "The account is deleted: there is nobody to answer any more.";

const MARK_ERRORS = {
  gone: GONE,
  answered: "Not marked as done: somebody else has answered meanwhile. Read that answer first.",
  replied: "Not marked as done: the player has replied meanwhile. Read the reply first.",
  "not-paid-back": "A withdrawal is done when it is refunded.",
  ended: NOTHING_PENDING,
};

export const ticketAction = formActions({
  answer: ticketRow({
    failed: "Failed to send answer",
    keep: ["answer"],
    input: answerInput,
    run: ({ db, jobs, ticket, input, fields }) => {
      const seen = seenIn(fields);
      return answerTicket(db, jobs, { ...ticket, ...input, answerId: idIn(fields.answerId), seen });
    },
    errors: {
      gone: GONE,
      answered:
        "Somebody else has answered meanwhile. Read that answer above; send yours again if it still adds something.",
      replied:
        "Not sent: the player has replied meanwhile. Read the reply above; send yours again if it still answers it.",
    },
    done: { title: "Answer sent" },
  }),
  refund: ticketRow({
    failed: "Nothing was refunded",
    run: async ({ db, env, ticket, fields: { formKey, shown } }) => {
      const stripe = openRefunds(env);
      const refundId = formKeyOf(formKey);
      if (!stripe) return rejected("key");
      if (!refundId) throw new IncompleteError();
      return refundWithdrawal(db, { ...ticket, stripe, refundId, shown: readShown(shown) });
    },
    errors: {
      ...REFUND_ERRORS,
      ended: NOTHING_PENDING,
      "no-withdrawal": NO_WITHDRAWAL,
      changed: "Not refunded: how much is refunded, or to whom, has changed. Look at it again.",
    },
    done: ({ status, refundCents }) => ({
      title: REFUND_TITLES[status],
      description: `${euros(refundCents)} goes back to the payer.`,
    }),
  }),
  "paid-back": ticketRow({
    failed: "Failed to mark as refunded",
    input: ({ fields }) => {
      const refunded = "Refund it at Stripe first, then tick the box.";
      if (fields.refunded !== "on") throw new FieldError({ refunded });
      return readShown(fields.shown);
    },
    run: ({ db, ticket, input: shown }) => markPaidBack(db, { ...ticket, shown }),
    errors: {
      ended: NOTHING_PENDING,
      "no-withdrawal": NO_WITHDRAWAL,
      changed: "Not marked: how much is refunded, or to whom, has changed. Look at it again.",
    },
    done: { title: "Marked as refunded" },
  }),
  reject: ticketRow({
    failed: "Failed to reject withdrawal",
    keep: ["reason"],
    input: rejectionInput,
    run: ({ db, jobs, ticket, input }) => rejectWithdrawal(db, jobs, { ...ticket, ...input }),
    errors: {
      "too-late": "This withdrawal is refunded or was taken back already.",
      "not-found": NO_WITHDRAWAL,
    },
    done: { title: "Withdrawal rejected" },
  }),
  "remove-message": ticketRow({
    failed: "Failed to remove message",
    run: async ({ db, ticket: { ticketId, actor: userId, now } }) => {
      const reported = (await findTicket(db, ticketId))?.reported;
      if (!reported) return rejected("not-found");
      const { gameId, id: messageId } = reported;
      return removeMessage(db, { gameId, messageId, userId, now });
    },
    errors: { "not-found": NO_MESSAGE, "not-in": NO_MESSAGE, "not-yours": NO_MESSAGE },
    done: { title: "Removed from the chat" },
  }),
  done: ticketRow({
    failed: "Failed to mark as done",
    run: ({ db, ticket, fields }) =>
      markTicket(db, { ...ticket, status: "done", seen: seenIn(fields) }),
    errors: MARK_ERRORS,
    done: { title: "Marked as done" },
  }),
  open: ticketRow({
    failed: "Failed to reopen",
    run: ({ db, ticket }) => markTicket(db, { ...ticket, status: "open" }),
    errors: MARK_ERRORS,
    done: { title: "Reopened" },
  }),
});

function seenIn({ seen = "" }: Posted["fields"]): number {
  if (!/^\d{1,6}$/.test(seen)) throw new IncompleteError();
  return Number(seen);
}

function idIn(id: string | undefined): string {
  if (!isId(id)) throw new IncompleteError();
  return id;
}

const MAIL_ERRORS = {
  gone: "This email is not on the list any more: it was sent again or removed.",
  lapsed: "The link in this email does not work any more. The player can ask for a new one.",
};

export const mailAction = formActions({
  "send-again": adminRow({
    failed: "Failed to send email",
    isRepeatUnsafe: true,
    run: async ({ db, jobs, actor, now, fields }) =>
      sendFailedMail(db, jobs, { id: idIn(fields.mailId), actor, now: now() }),
    errors: MAIL_ERRORS,
    done: { title: "The email is sent again" },
  }),
  remove: adminRow({
    failed: "Failed to remove email",
    isRepeatUnsafe: true,
    run: async ({ db, actor, now, fields }) =>
      removeFailedMail(db, { id: idIn(fields.mailId), actor, now: now() }),
    errors: MAIL_ERRORS,
    done: { title: "Removed from the list" },
  }),
});
