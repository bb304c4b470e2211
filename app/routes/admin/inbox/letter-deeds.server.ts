import { checkForm } from "#app/features/accounts/input.ts";
import { answerTicket, markTicket } from "#app/features/support/tickets.server.ts";
import { refuseWithdrawal, markPaidBack } from "#app/features/support/withdraw-purchase.server.ts";
import { answerInput, refusalInput } from "#app/features/support/input.ts";
import { isId } from "#app/platform/ids.ts";
import { log } from "#app/platform/log.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { echoOf } from "#app/forms/form-fields.server.ts";
import { throwUnknownOutcome } from "#app/forms/unknown-outcome.server.ts";
import type { FormAnswer } from "#app/routes/settings/form-problem.tsx";

interface Asked {
  ticketId: string;
  actor: string;
  fields: Record<string, string>;
}

export type LetterOutcome =
  | { ok: true; title: string }
  | { ok: false; status: number; refusal: FormAnswer };

/** Does what a form of the letter's page asks for, and says how that ended. */
export async function doLetterDeed(app: App, asked: Asked): Promise<LetterOutcome> {
  const outcome = await doIt(app, asked).catch((error: unknown) => {
    throwUnknownOutcome(error);
    log.error({ err: error }, "a letter of the inbox");
    return refuse(500, FAILED);
  });
  if (outcome.ok) return outcome;
  // The page finds by the intent which of its forms failed.
  const values = echoOf(asked.fields, ["intent", "answer", "reason"]);
  return { ...outcome, refusal: { ...outcome.refusal, values } };
}

async function doIt(app: App, asked: Asked): Promise<LetterOutcome> {
  switch (asked.fields.intent) {
    case "answer":
      return sendAnswer(app, asked);
    case "paid-back":
      return payBack(app, asked);
    case "refuse":
      return refuseIt(app, asked);
    case "done":
    case "open":
      return mark(app, asked, asked.fields.intent);
    default:
      return refuse(400, { failure: "This form is not known here. Please try again." });
  }
}

async function sendAnswer({ db, jobs, now }: App, { ticketId, actor, fields }: Asked) {
  const { answerId = "", seen = "" } = fields;
  const checked = checkForm(answerInput, fields);
  if (!checked.ok) return refuse(422, { errors: checked.errors });
  if (!isId(answerId) || !/^\d{1,6}$/.test(seen)) return refuse(400, BROKEN);
  const { answer } = checked.input;
  const deed = { ticketId, actor, answerId, answer, seen: Number(seen), now: now() };
  const outcome = await answerTicket(db, jobs, deed);
  if (outcome.ok) return { ok: true, title: "Answer sent" } as const;
  return refuse(409, outcome.reason === "gone" ? GONE : ANSWERED);
}

async function payBack({ db, now }: App, { ticketId, actor, fields }: Asked) {
  if (fields.refunded !== "on") return refuse(422, { errors: { refunded: UNREFUNDED } });
  const result = await markPaidBack(db, { ticketId, actor, now: now() });
  if (result.ok) return { ok: true, title: "Marked as paid back" } as const;
  return refuse(409, result.reason === "ended" ? ENDED : NO_WITHDRAWAL);
}

async function refuseIt({ db, jobs, now }: App, { ticketId, actor, fields }: Asked) {
  const checked = checkForm(refusalInput, fields);
  if (!checked.ok) return refuse(422, { errors: checked.errors });
  const { reason } = checked.input;
  const refusal = { ticketId: ticketId, actor, reason, now: now() };
  const result = await refuseWithdrawal(db, jobs, refusal);
  if (result.ok) return { ok: true, title: "Withdrawal refused" } as const;
  return refuse(409, result.reason === "too-late" ? TOO_LATE : NO_WITHDRAWAL);
}

async function mark({ db }: App, { ticketId, actor }: Asked, status: "open" | "done") {
  const outcome = await markTicket(db, { ticketId, status, actor });
  if (outcome.ok) {
    return { ok: true, title: status === "done" ? "Marked as done" : "Opened again" } as const;
  }
  return refuse(409, UNMARKED[outcome.reason]);
}

function refuse(status: number, refusal: FormAnswer) {
  return { ok: false, status, refusal } as const;
}

const FAILED = { failure: "Failed to save. Please try again." };
const BROKEN = { failure: "The form was not complete. Please try again." };
const GONE = { failure: "The account is deleted: there is nobody to answer any more." };
const ANSWERED = {
  failure:
    "Somebody else has answered meanwhile. Read that answer above; send yours again if it still adds something.",
};
const NOT_PAID_BACK = { failure: "A withdrawal is done when it is paid back." };
const ENDED = {
  failure: "This withdrawal was refused or taken back: there is nothing to pay back.",
};
const TOO_LATE = { failure: "This withdrawal is paid back or was taken back already." };
const NO_WITHDRAWAL = { failure: "This is not a withdrawal." };
const UNMARKED = { gone: GONE, "not-paid-back": NOT_PAID_BACK, ended: ENDED };
const UNREFUNDED = "Refund it at Stripe first, then tick the box.";
