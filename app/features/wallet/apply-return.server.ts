import { sql } from "kysely";
import type { Tx } from "#app/platform/db.server.ts";
import { numericFromCents } from "#app/platform/money.ts";
import { lockDebtor } from "./lock-debtor.server.ts";
import { findPaymentId } from "./payment-references.server.ts";
import { disputeStage } from "./rules.ts";
import type { Effect, Told } from "./stripe-effect.ts";
import type { Dispute } from "./stripe-event.ts";
import { takeBack } from "./take-back.server.ts";

/** Takes back what a refund no longer pays for. Stripe tells the whole amount refunded so far. */
export async function applyRefund(
  tx: Tx,
  refund: { payment: string[]; refundedCents: number },
  told: Told,
): Promise<Effect> {
  const paymentId = await findPaymentId(tx, refund.payment);
  if (!paymentId) return unknownPayment(refund.payment);
  // Before the payment's row, which a withdrawal writes under the wallet's lock.
  await lockDebtor(tx, paymentId);
  const refunded = numericFromCents(refund.refundedCents);
  await tx
    .updateTable("payments")
    .set({ refunded_eur: sql`greatest(refunded_eur, ${refunded}::numeric)` })
    .where("id", "=", paymentId)
    .execute();
  await takeBack(tx, { ...told, paymentId, notes: "Payment refunded" });
  return { matches: [] };
}

/** Takes back what the bank has taken while a dispute is open or lost; gives it again when won. */
export async function applyDispute(
  tx: Tx,
  { payment, dispute }: { payment: string[]; dispute: Dispute },
  told: Told,
): Promise<Effect> {
  const paymentId = await findPaymentId(tx, payment);
  if (!paymentId) return unknownPayment(payment);
  await lockDebtor(tx, paymentId);
  if (await isNews(tx, dispute)) {
    const { id, status, amountCents } = dispute;
    const whole = sql<string>`(select amount_eur from payments where id = ${paymentId})`;
    const amount_eur = amountCents === null ? whole : numericFromCents(amountCents);
    const state = { status, amount_eur };
    await tx
      .insertInto("disputes")
      .values({ id, payment_id: paymentId, ...state })
      .onConflict((conflict) => conflict.column("id").doUpdateSet(state))
      .execute();
  }
  await takeBack(tx, { ...told, paymentId, notes: "Payment disputed" });
  return { matches: [] };
}

/** Events may come in any order; a dispute only ever moves on. */
async function isNews(tx: Tx, { id, status }: Dispute): Promise<boolean> {
  const known = await tx
    .selectFrom("disputes")
    .select("status")
    .where("id", "=", id)
    .executeTakeFirst();
  return !known || disputeStage(status) > disputeStage(known.status);
}

function unknownPayment(payment: string[]): Effect {
  return { parked: "unknown-payment", waitsFor: payment.map((id) => `payment:${id}`) };
}
