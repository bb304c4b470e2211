import type { RefundablePurchase } from "#app/features/wallet/stripe/refund-purchase.server.ts";
import { helsinkiDate, monthDayYear } from "#app/platform/clock.ts";
import type { Env } from "#app/platform/env.server.ts";
import { euros, numericFromCents } from "#app/platform/money.ts";
import { isSandbox } from "#app/platform/sandbox.ts";
import { dashboardUrl } from "#app/platform/stripe.server.ts";
import { openRefunds } from "#app/routes/admin/refunds.server.ts";

export function toPurchaseView(
  purchase: RefundablePurchase,
  env: Pick<Env, "demo" | "stripeSecretKey">,
) {
  const { paymentId, pack, paidAt, paymentIntentId, objectId: stripeObjectId } = purchase;
  const { amountCents, refundedCents, askedCents, leftCents, withdrawalTicketId } = purchase;
  const canRefund = openRefunds(env) !== null;
  return {
    paymentId,
    pack: pack ?? "Purchase",
    when: monthDayYear(helsinkiDate(paidAt)),
    amount: euros(amountCents),
    back: [
      refundedCents > 0 && `${euros(refundedCents)} refunded`,
      askedCents > 0 && `${euros(askedCents)} on its way back`,
    ].filter((text) => text !== false),
    /** What the form offers: all that is left. Null where nothing can be refunded here. */
    left:
      canRefund && leftCents > 0 && !withdrawalTicketId
        ? { amount: numericFromCents(leftCents), text: euros(leftCents) }
        : null,
    unanswered: purchase.unanswered.map(({ refundId, cents }) => ({
      ...{ refundId, amount: numericFromCents(cents), text: euros(cents) },
    })),
    withdrawal: withdrawalTicketId && `/admin/inbox/${withdrawalTicketId}`,
    // The sandbox has no dashboard.
    dashboard: isSandbox(env)
      ? null
      : dashboardUrl({ paymentIntentId, stripeObjectId }, env.stripeSecretKey),
  };
}

export type PurchaseView = ReturnType<typeof toPurchaseView>;
