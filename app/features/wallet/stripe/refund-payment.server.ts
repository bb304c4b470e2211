import Stripe from "stripe";
import {
  type AskedRefund,
  findRefund,
  findWaitingRefund,
  insertRefund,
  touchRefund,
  storeRefund,
  sumRefunds,
} from "#app/features/wallet/refunds.server.ts";
import { recordAudit } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { RefundStatus } from "#app/platform/schema.ts";
import { lockPayments } from "./apply-stripe-event.server.ts";

/** What was paid, as much of it as is known here. */
export interface RefundablePayment {
  /** The checkout session or invoice. */
  objectId: string;
  paymentIntentId: string | null;
  /** The player whose purchase it is; null while the payment is unmatched. */
  userId: string | null;
  /** The unmatched event that a refund settles. */
  eventId?: string;
  /** What was paid and what Stripe has reported as refunded, in the currency's smallest unit. */
  paid: number;
  refunded: number;
  currency: string;
  /** What becomes of the player's credits, for the log. */
  credits?: object;
}

interface Refunding {
  stripe: Stripe;
  /** The form's key, and Stripe's idempotency key: asked for again, it is the same refund. */
  refundId: string;
  /** Read under the lock of Stripe's events; null where there is nothing to refund any more. */
  read: (tx: Tx) => Promise<RefundablePayment | null>;
  /** In the currency's smallest unit. */
  amount: number;
  actor: string;
  subject: string;
  now: Date;
}

type RefundResult =
  | { ok: true; status: RefundStatus; refund: AskedRefund }
  /** "too-much": more than is left to refund. "rejected" and "key": Stripe rejected it: nothing is on its
   * way. "unknown": Stripe did not answer; asked for again, it is the same refund. */
  | { ok: false; reason: "gone" | "too-much" | "no-intent" | "rejected" | "key" | "unknown" };

/**
 * Refunds all or a part of a payment at Stripe, once. The event of the refund takes the credits back, as
 * that of one made in Stripe's dashboard does.
 */
export async function refundPayment(db: Db, refunding: Refunding): Promise<RefundResult> {
  const begun = await begin(db, refunding);
  if ("ok" in begun) return begun;
  if (begun.status !== "asked") return { ok: true, status: begun.status, refund: begun };
  try {
    const refund =
      (await findAtStripe(refunding.stripe, begun)) ?? (await askStripe(refunding.stripe, begun));
    const status = toStatus(refund.status);
    await storeRefund(db, begun.id, { status, stripe_refund_id: refund.id });
    return status === "failed" ? fail("rejected") : { ok: true, status, refund: begun };
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    log.warn({ err: error, refund: begun.id }, "a refund could not be made");
    const reason = reasonOf(error);
    if (reason !== "unknown") await storeRefund(db, begun.id, { status: "failed" });
    return fail(reason);
  }
}

function begin(
  db: Db,
  refunding: Refunding,
): Promise<AskedRefund | Extract<RefundResult, { ok: false }>> {
  const { refundId, read, amount, actor, subject, now } = refunding;
  return db.transaction().execute(async (tx) => {
    await lockPayments(tx);
    const known = await findRefund(tx, refundId);
    if (known) await touchRefund(tx, known.id, now);
    if (known) return known;
    const payment = await read(tx);
    if (!payment) return fail("gone");
    const { objectId, paymentIntentId, userId, paid, refunded, currency } = payment;
    const waiting = await findWaitingRefund(tx, objectId, amount);
    if (waiting) await touchRefund(tx, waiting.id, now);
    if (waiting) return waiting;
    const left = paid - Math.max(refunded, await sumRefunds(tx, objectId));
    if (amount <= 0 || amount > left) return fail("too-much");
    if (!paymentIntentId) return fail("no-intent");
    await insertRefund(tx, { refundId, ...payment, paymentIntentId, amount, now });
    const about = { playerId: userId, paid: { amountCents: amount, currency }, refundId };
    const details = { ...about, ...(payment.credits && { credits: payment.credits }) };
    await recordAudit(tx, { actor, action: "payment.refund", subject, details });
    return { id: refundId, objectId, paymentIntentId, amount, status: "asked" };
  });
}

/** Stripe keeps a refund for good, and its idempotency key for a day. */
export async function findAtStripe(
  stripe: Stripe,
  { id, paymentIntentId }: Pick<AskedRefund, "id" | "paymentIntentId">,
) {
  const { data } = await stripe.refunds.list({ payment_intent: paymentIntentId, limit: 100 });
  return data.find(({ metadata }) => metadata?.refund === id);
}

function askStripe(stripe: Stripe, { id, paymentIntentId, amount }: AskedRefund) {
  const asked = { payment_intent: paymentIntentId, amount, metadata: { refund: id } };
  const params = { ...asked, reason: "requested_by_customer" as const };
  return stripe.refunds.create(params, { idempotencyKey: `refund:${id}` });
}

const STATUSES: RefundStatus[] = ["pending", "requires_action", "succeeded", "failed", "canceled"];

export const toStatus = (status: string | null): RefundStatus =>
  STATUSES.find((known) => known === status) ?? "pending";

function reasonOf(error: Stripe.errors.StripeError) {
  const { StripeAuthenticationError, StripePermissionError, StripeInvalidRequestError } =
    Stripe.errors;
  if (error instanceof StripeAuthenticationError || error instanceof StripePermissionError) {
    return "key";
  }
  return error instanceof StripeInvalidRequestError ? "rejected" : "unknown";
}

const fail = <Reason extends string>(reason: Reason) => ({ ok: false, reason }) as const;
