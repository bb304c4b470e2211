import type Stripe from "stripe";
import { findPaymentIntent } from "#app/features/wallet/payments.server.ts";
import { refundPayment } from "#app/features/wallet/stripe/refund-payment.server.ts";
import type { Facts } from "#app/platform/as-shown.ts";
import { changedFacts } from "#app/platform/as-shown.ts";
import { type Db, inCents } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { markPaidBack, refundFacts } from "./withdraw-purchase.server.ts";

interface Refunding {
  stripe: Stripe;
  ticketId: string;
  refundId: string;
  actor: string;
  shown?: Facts;
  now: Date;
}

/** Refunds a withdrawal at Stripe and notes it. Moves no credits: they have left the wallet already. */
export async function refundWithdrawal(db: Db, refunding: Refunding) {
  const { ticketId, shown, stripe, refundId, actor, now } = refunding;
  const withdrawal = isId(ticketId) ? await findPending(db, ticketId) : null;
  if (!withdrawal) return fail("ended");
  const { refundCents, userId, objectId } = withdrawal;
  const facts = refundFacts({ refundCents, playerId: userId });
  if (changedFacts(shown, facts).length > 0) return fail("changed");
  const refunded = await refundPayment(db, {
    ...{ stripe, refundId, amount: refundCents, actor, subject: ticketId, now },
    read: async (tx) => {
      const current = await findPending(tx, ticketId);
      if (!current) return null;
      const paymentIntentId = await findPaymentIntent(tx, objectId);
      const { paid, refunded } = current;
      return { objectId, paymentIntentId, userId, paid, refunded, currency: "eur" };
    },
  });
  if (!refunded.ok) return refunded;
  const noted = await markPaidBack(db, { ticketId, actor, shown: facts, now });
  return noted.ok ? { ok: true as const, status: refunded.status, refundCents } : noted;
}

async function findPending(db: Db, ticketId: string) {
  const found = await db
    .selectFrom("support_messages as ticket")
    .innerJoin("withdrawals", "withdrawals.id", "ticket.withdrawal_id")
    .innerJoin("payments", "payments.id", "withdrawals.payment_id")
    .select(["withdrawals.user_id as userId", "stripe_object_id as objectId"])
    .select(inCents("withdrawals.amount_eur").as("refundCents"))
    .select([
      inCents("payments.amount_eur").as("paid"),
      inCents("payments.refunded_eur").as("refunded"),
    ])
    .where("ticket.id", "=", ticketId)
    .where("outcome", "is", null)
    .where("paid_back_at", "is", null)
    .executeTakeFirst();
  return found ?? null;
}

const fail = <Reason extends string>(reason: Reason) => ({ ok: false, reason }) as const;
