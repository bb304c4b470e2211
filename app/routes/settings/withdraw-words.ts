import type { Purchase, Withdrawal } from "#app/features/support/withdrawals.server.ts";
import { formatMoment, monthDayYear } from "#app/platform/clock.ts";
import { creditsCount, numericFromCents } from "#app/platform/money.ts";

/** A purchase in the words of the page; made on the server, in Helsinki's time. */
export function showPurchase(purchase: Purchase) {
  const { paymentId, packName, paidAt, amountCents, unusedCents, refundCents } = purchase;
  return {
    paymentId,
    packName,
    reference: purchase.stripeObjectId,
    paid: `${numericFromCents(amountCents)} €, paid on ${formatMoment(paidAt)}`,
    unused: `${creditsCount(unusedCents)} unused`,
    refund: `${numericFromCents(refundCents)} €`,
    until: `until ${monthDayYear(purchase.lastDay)}`,
    isMonthly: purchase.isMonthly,
  };
}
export type PurchaseWords = ReturnType<typeof showPurchase>;

export function showWithdrawal(withdrawal: Withdrawal) {
  const { id, packName, creditsCents, refundCents, statedAt, ...more } = withdrawal;
  return {
    id,
    packName,
    stated: formatMoment(statedAt),
    what: `${creditsCount(creditsCents)}, ${numericFromCents(refundCents)} €`,
    ...{
      state: more.state,
      canCancelWithdrawal: more.canCancelWithdrawal,
      refusalReason: more.refusalReason,
    },
  };
}
export type WithdrawalWords = ReturnType<typeof showWithdrawal>;

export interface WithdrawAnswer {
  /** The first step is done: this is to be confirmed, once for the form's key. */
  stated?: PurchaseWords & { formKey: string };
  failure?: string;
}
