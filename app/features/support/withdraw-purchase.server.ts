import { randomUUID } from "node:crypto";
import { momentWords } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { creditsCount, euros, numericFromCents } from "#app/platform/money.ts";
import { lockWallet } from "#app/features/wallet/ledger.server.ts";
import { withdrawCredits } from "#app/features/wallet/take-back.server.ts";
import { isWithdrawn, listPurchases, type Purchase } from "./purchases.server.ts";

interface Statement {
  userId: string;
  paymentId: string;
  /** Of the form (formKeyOf): the withdrawal's id, so that what arrives twice is one. */
  formKey?: string | undefined;
  now: Date;
}

/**
 * Records that a player withdraws from a purchase: the statement, its acknowledgement by mail and
 * a row in the organiser's inbox, who refunds at Stripe. Its credits leave the wallet at once.
 * Answers null, and writes nothing, where the purchase is unknown, somebody else's, used up,
 * withdrawn from already or too old, or where this form has been taken before (isWithdrawn).
 */
export async function withdrawPurchase(
  db: Db,
  jobs: Jobs,
  { userId, paymentId, formKey: id = randomUUID(), now }: Statement,
): Promise<Purchase | null> {
  return db.transaction().execute(async (tx) => {
    // Spending waits, and so does the same statement sent twice.
    await lockWallet(tx, userId);
    // A form that comes late must not undo that the player took its withdrawal back.
    if (await isWithdrawn(tx, { userId, paymentId, formKey: id })) return null;
    const purchases = await listPurchases(tx, { userId, now });
    const purchase = purchases.find((own) => own.paymentId === paymentId);
    if (!purchase) return null;
    await tx
      .insertInto("withdrawals")
      .values({
        id,
        user_id: userId,
        payment_id: paymentId,
        credits_eur: numericFromCents(purchase.unusedCents),
        amount_eur: numericFromCents(purchase.refundCents),
        refunded_before_eur: numericFromCents(purchase.refundedCents),
        credits_taken: true,
        stated_at: now,
      })
      .execute();
    const takenCents = await withdrawCredits(tx, { withdrawalId: id, paymentId });
    // Whole cents of money may pay for a cent of credits less than there is.
    await tx
      .updateTable("withdrawals")
      .set({ credits_eur: numericFromCents(takenCents) })
      .where("id", "=", id)
      .execute();
    const { id: messageId } = await tx
      .insertInto("support_messages")
      .values({
        user_id: userId,
        kind: "withdrawal",
        withdrawal_id: id,
        ...ticketFor(purchase, now),
        created_at: now,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await jobs.enqueue(tx, "mail.withdrawal", { withdrawalId: id });
    await jobs.enqueue(tx, "mail.support-message", { messageId });
    return purchase;
  });
}

/** What is stored in the inbox. What to do about it changes, and is told from the state. */
function ticketFor(purchase: Purchase, now: Date) {
  const { packName, stripeObjectId, amountCents, unusedCents, refundCents } = purchase;
  return {
    subject: `Withdrawal: ${packName}, ${euros(refundCents)}`,
    message: [
      `The player withdrew from a purchase on ${momentWords(now)}.`,
      `Purchase: ${packName}, ${euros(amountCents)}, ${stripeObjectId}`,
      `Unused: ${creditsCount(unusedCents)}`,
    ].join("\n"),
  };
}
