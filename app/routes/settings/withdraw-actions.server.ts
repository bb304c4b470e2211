import { randomUUID } from "node:crypto";
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
import { formActions } from "#app/forms/form-action.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { rejected } from "#app/forms/form-rows.server.ts";
import { readShown, writeShown } from "#app/platform/as-shown.ts";
import { formatMoment, monthDayYear } from "#app/platform/clock.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { creditsCount, euros } from "#app/platform/money.ts";
import type { App } from "#app/routes/context.server.ts";
import { playerRows } from "#app/routes/player-row.server.ts";

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

const row = playerRows<WithdrawResult>();

const toStated = (purchase: Purchase) => ({
  ...toPurchaseView(purchase),
  formKey: randomUUID(),
  shown: writeShown(withdrawalFacts(purchase)),
});

const NONE_CHOSEN = ["invalid", "Please choose a purchase."] as const;
const NO_TAKING_BACK = "This withdrawal can no longer be taken back.";
const GONE = "This purchase can no longer be withdrawn from.";

async function findPurchase(
  { db, now }: Pick<App, "db" | "now">,
  userId: string,
  paymentId: string,
) {
  const purchases = await listPurchases(db, { userId, now: now() });
  return purchases.find((purchase) => purchase.paymentId === paymentId);
}

export const withdrawAction = formActions({
  /** The first step, which changes nothing yet. */
  state: row({
    failed: "Failed to withdraw",
    run: async ({ viewer: { userId }, fields: { paymentId }, ...app }) => {
      if (!paymentId) return rejected("none-chosen");
      const purchase = await findPurchase(app, userId, paymentId);
      return purchase ? { purchase } : rejected("gone");
    },
    errors: { "none-chosen": NONE_CHOSEN, gone: GONE },
    done: ({ purchase }) => ({ shows: { stated: toStated(purchase) } }),
  }),
  confirm: row({
    failed: "Failed to withdraw",
    run: async ({ jobs, viewer: { userId }, fields, ...app }) => {
      const { db, now } = app;
      const { paymentId } = fields;
      if (!paymentId) return rejected("none-chosen");
      const wish = { userId, paymentId, formKey: formKeyOf(fields.formKey) };
      const shown = readShown(fields.shown);
      if (await withdrawPurchase(db, jobs, { ...wish, shown, now: now() })) return { ok: true };
      // A resubmitted form shows the first one's success.
      if (await isWithdrawn(db, wish)) return { ok: true };
      const purchase = await findPurchase(app, userId, paymentId);
      return purchase ? { ...rejected("changed"), purchase } : rejected("gone");
    },
    errors: {
      "none-chosen": NONE_CHOSEN,
      gone: GONE,
      changed: ({ purchase }) => ({
        formError:
          "What is unused of it has changed. Nothing was withdrawn: look again and confirm if that is fine.",
        stated: toStated(purchase),
      }),
    },
    done: {
      title: "Withdrawal received",
      description: "An acknowledgement is on its way to your email.",
    },
  }),
  "take-back": row({
    failed: "Failed to take the withdrawal back",
    run: ({ db, jobs, viewer: { userId }, fields: { withdrawalId = "" }, now }) =>
      cancelWithdrawal(db, jobs, { userId, withdrawalId, now: now() }),
    errors: { "not-found": NO_TAKING_BACK, "too-late": NO_TAKING_BACK },
    done: { title: "Withdrawal taken back", description: "Its credits are back in your wallet." },
  }),
});
