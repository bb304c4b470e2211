import { createHash } from "node:crypto";
import { sql } from "kysely";
import type Stripe from "stripe";
import {
  forecastReclaim,
  type ReclaimForecast,
} from "#app/features/wallet/reclaim-credits.server.ts";
import { isMoneyGone } from "#app/features/wallet/rules.ts";
import { type Db, inCents, type Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { refundPayment } from "./refund-payment.server.ts";

/** A payment of a player's, with what can still be refunded of it. Amounts are euros, in cents. */
export interface RefundablePurchase {
  paymentId: string;
  userId: string;
  pack: string | null;
  paidAt: Date;
  objectId: string;
  paymentIntentId: string | null;
  amountCents: number;
  /** As Stripe has reported. */
  refundedCents: number;
  /** Asked for here, as far as it did not fail, whether reported or not. */
  requestedCents: number;
  /** Asked for and not reported yet: at least so much, as part may be reported from elsewhere. */
  askedCents: number;
  leftCents: number;
  /** Refunds that Stripe has not answered; asked for again, each is the same refund. */
  unanswered: { refundId: string; cents: number }[];
  /** The ticket of a withdrawal that waits for its refund, which is made there. */
  withdrawalTicketId: string | null;
}

const PURCHASES_SHOWN = 20;

/** A player's purchases, the newest first. One query. */
export const listPurchasesOf = (db: Db, userId: string): Promise<RefundablePurchase[]> =>
  readPurchases(db, sql`payments.user_id = ${userId}`);

interface Refunding {
  stripe: Stripe;
  playerId: string;
  paymentId: string;
  amountCents: number;
  refundId: string;
  /** The key of what was asked and agreed to. */
  confirmed?: string | undefined;
  actor: string;
  now: Date;
}

/** What the organiser is asked before money moves. */
export interface RefundQuestion extends ReclaimForecast {
  amountCents: number;
  requestedCents: number;
  key: string;
}

type Obstacle =
  | ({ reason: "unconfirmed" } & RefundQuestion)
  | { reason: "withdrawal"; ticketId: string };

/**
 * Refunds all or a part of a player's purchase at Stripe, once, after one confirmation that says what
 * their credits become. The credits are reclaimed by Stripe's event, as after any refund.
 */
export async function refundPurchase(db: Db, refunding: Refunding) {
  const { stripe, playerId, paymentId, amountCents, refundId, confirmed, actor, now } = refunding;
  const known = await findPurchase(db, { paymentId, playerId });
  if (!known) return { ok: false, reason: "gone" } as const;
  const found: { obstacle?: Obstacle } = {};
  const read = async (tx: Tx) => {
    const purchase = await findPurchase(tx, { paymentId, playerId });
    if (!purchase) return null;
    const { withdrawalTicketId: ticketId, leftCents, refundedCents, askedCents } = purchase;
    const paid = leftCents + refundedCents + askedCents;
    const payment = { ...purchase, paid, refunded: refundedCents, currency: "eur" };
    if (amountCents <= 0 || amountCents > leftCents) return payment;
    const asked = await forecast(tx, purchase, amountCents);
    if (ticketId) found.obstacle = { reason: "withdrawal", ticketId };
    else if (asked.key !== confirmed) found.obstacle = { reason: "unconfirmed", ...asked };
    const { takenCents, debtCents } = asked;
    return found.obstacle ? null : { ...payment, credits: { takenCents, debtCents } };
  };
  const asked = { stripe, refundId, read, amount: amountCents, actor, subject: paymentId, now };
  const refunded = await refundPayment(db, asked);
  if (!refunded.ok) return found.obstacle ? ({ ok: false, ...found.obstacle } as const) : refunded;
  const { refund, status } = refunded;
  const isOther = refund.amount !== amountCents || refund.objectId !== known.objectId;
  if (isOther) return { ok: false, reason: "form-used", usedCents: refund.amount } as const;
  return { ok: true, status, amountCents } as const;
}

async function findPurchase(
  tx: Db,
  { paymentId, playerId }: { paymentId: string; playerId: string },
) {
  if (!isId(paymentId)) return null;
  const own = sql`payments.id = ${paymentId} and payments.user_id = ${playerId}`;
  return (await readPurchases(tx, own))[0] ?? null;
}

/** Any change of what is asked, or of what was read for it, is another key. */
async function forecast(
  tx: Tx,
  { paymentId, leftCents, askedCents, requestedCents }: RefundablePurchase,
  amountCents: number,
): Promise<RefundQuestion> {
  const reclaim = await forecastReclaim(tx, { paymentId, askedCents, refundCents: amountCents });
  const facts = JSON.stringify([paymentId, amountCents, leftCents, requestedCents, reclaim]);
  const key = createHash("sha256").update(facts).digest("base64url");
  return { ...reclaim, amountCents, requestedCents, key };
}

type Row = Omit<RefundablePurchase, "askedCents" | "leftCents"> & {
  disputes: { status: string; cents: number }[];
};

async function readPurchases(db: Db, whose: ReturnType<typeof sql>): Promise<RefundablePurchase[]> {
  const { rows } = await sql<Row>`
    select payments.id as "paymentId", payments.user_id as "userId",
      payments.created_at as "paidAt", stripe_object_id as "objectId",
      ${inCents("payments.amount_eur")} as "amountCents",
      ${inCents("refunded_eur")} as "refundedCents",
      (select notes from wallet_transactions where business_key = ledger_key) as pack,
      (select id from payment_references own where own.stripe_object_id = payments.stripe_object_id
        and starts_with(id, 'pi_') order by id limit 1) as "paymentIntentId",
      (select coalesce(sum(amount), 0)::float8 from refunds
        where refunds.stripe_object_id = payments.stripe_object_id
          and status not in ('failed', 'canceled')) as "requestedCents",
      coalesce((select json_agg(json_build_object('refundId', id, 'cents', amount) order by asked_at, id)
        from refunds where refunds.stripe_object_id = payments.stripe_object_id
          and status = 'asked'), '[]') as unanswered,
      coalesce((select json_agg(json_build_object('status', status,
          'cents', ${inCents("disputes.amount_eur")})) from disputes
        where disputes.payment_id = payments.id), '[]') as disputes,
      (select ticket.id from withdrawals join support_messages ticket
          on ticket.withdrawal_id = withdrawals.id
        where withdrawals.payment_id = payments.id and outcome is null and paid_back_at is null
        limit 1) as "withdrawalTicketId"
    from payments where ${whose}
    order by payments.created_at desc, payments.id limit ${PURCHASES_SHOWN}`.execute(db);
  return rows.map(toPurchase);
}

/** What a bank has taken back, or may, is not there to be refunded. */
function toPurchase({ disputes, ...purchase }: Row): RefundablePurchase {
  const { amountCents, refundedCents, requestedCents } = purchase;
  const gone = disputes.filter(({ status }) => isMoneyGone(status));
  const disputedCents = gone.reduce((sum, { cents }) => sum + cents, 0);
  const backCents = Math.max(refundedCents, requestedCents) + disputedCents;
  return {
    ...purchase,
    askedCents: Math.max(0, requestedCents - refundedCents),
    leftCents: Math.max(0, amountCents - backCents),
  };
}
