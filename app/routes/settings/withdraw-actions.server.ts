import { randomUUID } from "node:crypto";
import { data } from "react-router";
import {
  cancelWithdrawal,
  withdrawalFacts,
  withdrawPurchase,
} from "#app/features/support/withdraw-purchase.server.ts";
import {
  isWithdrawn,
  listPurchases,
  type Purchase,
  type Withdrawal,
} from "#app/features/support/withdrawals.server.ts";
import { fail, formActions, type Posted } from "#app/forms/form-action.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import { readShown, writeShown } from "#app/platform/as-shown.ts";
import { formatMoment, monthDayYear } from "#app/platform/clock.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { creditsCount, euros } from "#app/platform/money.ts";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import type { Route } from "./+types/withdraw";

export interface WithdrawResult extends FormResult {
  /** The chosen purchase, to be confirmed once per form key. */
  stated?: PurchaseView & { formKey: string; shown: string };
}

export type PurchaseView = ReturnType<typeof toPurchaseView>;

export function toPurchaseView(purchase: Purchase) {
  const { paymentId, packName, paidAt, amountCents, unusedCents, refundCents } = purchase;
  return {
    paymentId,
    packName,
    reference: purchase.stripeObjectId,
    paid: `${euros(amountCents)}, paid on ${formatMoment(paidAt)}`,
    unused: `${creditsCount(unusedCents)} unused`,
    refund: euros(refundCents),
    until: `until ${monthDayYear(purchase.lastDay)}`,
    isMonthly: purchase.isMonthly,
  };
}

export type WithdrawalView = ReturnType<typeof toWithdrawalView>;

export function toWithdrawalView(withdrawal: Withdrawal) {
  const { id, packName, state, canCancelWithdrawal, rejectionReason } = withdrawal;
  const { creditsCents, refundCents, statedAt } = withdrawal;
  return {
    ...{ id, packName, state, canCancelWithdrawal, rejectionReason },
    stated: formatMoment(statedAt),
    what: `${creditsCount(creditsCents)}, ${euros(refundCents)}`,
  };
}

const PATH = "/settings/withdraw";

export const withdrawAction = formActions({
  state: { failed: "Failed to withdraw", run: choose },
  confirm: { failed: "Failed to withdraw", run: confirm },
  "take-back": { failed: "Failed to take the withdrawal back", run: cancel },
});

type Args = Route.ActionArgs & Posted;

/** The first step, which changes nothing yet. */
async function choose({ context, fields: { paymentId } }: Args) {
  const { db, now } = context.get(appContext);
  const { userId } = context.get(viewerContext);
  if (!paymentId) return fail<WithdrawResult>(422, NONE_CHOSEN);
  const purchases = await listPurchases(db, { userId, now: now() });
  const stated = purchases.find((purchase) => purchase.paymentId === paymentId);
  if (!stated) return fail<WithdrawResult>(409, GONE);
  return data<WithdrawResult>({ stated: toStated(stated) });
}

const toStated = (purchase: Purchase) => ({
  ...toPurchaseView(purchase),
  formKey: randomUUID(),
  shown: writeShown(withdrawalFacts(purchase)),
});

async function confirm({ context, fields }: Args) {
  const { db, jobs, env, now } = context.get(appContext);
  const { userId } = context.get(viewerContext);
  const { paymentId } = fields;
  if (!paymentId) return fail<WithdrawResult>(422, NONE_CHOSEN);
  const wish = { userId, paymentId, formKey: formKeyOf(fields.formKey) };
  const shown = readShown(fields.shown);
  const withdrawn = await withdrawPurchase(db, jobs, { ...wish, shown, now: now() });
  // A resubmitted form shows the first one's success.
  if (!withdrawn && !(await isWithdrawn(db, wish))) {
    const purchases = await listPurchases(db, { userId, now: now() });
    const changed = purchases.find((purchase) => purchase.paymentId === paymentId);
    return fail<WithdrawResult>(409, changed ? { ...CHANGED, stated: toStated(changed) } : GONE);
  }
  const description = "An acknowledgement is on its way to your email.";
  return redirectWithToast(env, PATH, { title: "Withdrawal received", description });
}

const NONE_CHOSEN = { formError: "Please choose a purchase." };
const CHANGED = {
  formError:
    "What is unused of it has changed. Nothing was withdrawn: look again and confirm if that is fine.",
};
const GONE = { formError: "This purchase can no longer be withdrawn from." };

async function cancel({ context, fields: { withdrawalId = "" } }: Args) {
  const { db, jobs, env, now } = context.get(appContext);
  const { userId } = context.get(viewerContext);
  const result = await cancelWithdrawal(db, jobs, { userId, withdrawalId, now: now() });
  if (!result.ok) {
    const formError = "This withdrawal can no longer be taken back.";
    return fail<WithdrawResult>(409, { formError });
  }
  const description = "Its credits are back in your wallet.";
  return redirectWithToast(env, PATH, { title: "Withdrawal taken back", description });
}
