import type { Tx } from "#app/platform/db.server.ts";
import { numericFromCents } from "#app/platform/money.ts";
import { replaceEarlierMonths } from "./expire-lots.server.ts";
import { credit } from "./ledger.server.ts";
import type { Pack } from "./packs.server.ts";
import { expiryOfLateCredits } from "./rules.ts";

export interface PaidObject {
  /** The checkout session or the invoice: the business key, paid for once. */
  id: string;
  userId: string;
  pack: Pack;
  amountCents: number;
  /** The subscription and the end of the month that is paid for. */
  month?: { subscriptionId: string; periodEnd: Date };
}

/**
 * Gives the credits of something that was paid, once: a second event about it changes nothing and
 * answers false. A month of a subscription replaces what is left of the months before it.
 */
export async function grantPayment(tx: Tx, paid: PaidObject, now: Date): Promise<boolean> {
  const { userId, pack, month } = paid;
  const payment = await insertPayment(tx, paid);
  if (!payment) return false;
  const entry = {
    userId,
    amountCents: pack.creditsCents,
    notes: pack.name,
    businessKey: `payment:${paid.id}`,
  };
  const lot = month
    ? ({
        source: "subscription",
        expiresAt: expiryOfLateCredits(month.periodEnd, now),
        ...month,
      } as const)
    : ({ source: "pack" } as const);
  await credit(tx, "topup", entry, { ...lot, paymentId: payment.id });
  if (month) await replaceEarlierMonths(tx, month.subscriptionId, now);
  return true;
}

function insertPayment(tx: Tx, paid: PaidObject) {
  return tx
    .insertInto("payments")
    .values({
      stripe_object_id: paid.id,
      user_id: paid.userId,
      pack_id: paid.pack.id,
      amount_eur: numericFromCents(paid.amountCents),
      credits_eur: numericFromCents(paid.pack.creditsCents),
      subscription_id: paid.month?.subscriptionId ?? null,
    })
    .onConflict((conflict) => conflict.column("stripe_object_id").doNothing())
    .returning("id")
    .executeTakeFirst();
}
