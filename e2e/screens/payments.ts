import { randomUUID } from "node:crypto";
import { correctBalance } from "#app/features/wallet/correct-balance.server.ts";
import { SILENT, silent } from "../players.ts";
import type { Db } from "#app/platform/db.server.ts";
import { centsFromNumeric } from "#app/platform/money.ts";
import { OTHERS } from "../../db/demo/people.ts";
import { monthlyPurchase, singlePurchase, deliverEvents } from "#test/payments.ts";

/** Players of the demo data that nothing else uses. */
export const BUYER = OTHERS[4]!.key;
export const DEBTOR = OTHERS[5]!.key;
/** The session that the buyer has paid. */
export const PAID = "cs_test_staged";

/** One that the bank has yet to confirm; with "_failed" behind it one that it rejected. */
export const UNPAID = "cs_test_staged_later";
/** One that was paid with another amount. */
export const ODD = "cs_test_staged_odd";

const LINK = { payment_link: "plink_demo_pay_per_game" };
const DAY_MS = 86_400_000;

/** Payments of the buyer. */
export interface Receipts {
  receipt: string;
  refundedReceipt: string;
}

/** One player with a plan and a pack, one with a debt, and an unmatched payment. */
export async function stagePayments(db: Db): Promise<Receipts> {
  const now = new Date();
  const start = new Date(now.getTime() - 12 * DAY_MS);
  const buyer = await findPlayer(db, BUYER);
  const plan = monthlyPurchase(buyer.userId, { start, pack: "demo_monthly_4" });
  const pack = singlePurchase(buyer.userId, { ...LINK, id: PAID });
  const events = [plan.completed, plan.created, plan.paid(0), pack.completed, pack.refunded(500)];
  await deliverEvents(silent(db), events, now);

  const debtor = await findPlayer(db, DEBTOR);
  const owed = singlePurchase(debtor.userId, LINK);
  await deliverEvents(silent(db), owed.completed, now);
  const correction = { reason: "Played", actor: "command", key: randomUUID() };
  const amountCents = -debtor.balanceCents - 1_000;
  await correctBalance(db, SILENT, { ...correction, userId: debtor.userId, amountCents });
  await deliverEvents(silent(db), owed.refunded(999), now);

  const odd = singlePurchase(buyer.userId, { ...LINK, id: ODD, amount_total: 500 });
  await deliverEvents(silent(db), [singlePurchase(null, LINK).completed, odd.completed], now);
  const later = singlePurchase(buyer.userId, { ...LINK, id: UNPAID });
  const failed = singlePurchase(buyer.userId, { ...LINK, id: `${UNPAID}_failed` });
  await deliverEvents(silent(db), [later.unpaid, failed.unpaid, failed.failed], now);
  return {
    receipt: await findPayment(db, plan.invoiceId(0)),
    refundedReceipt: await findPayment(db, PAID),
  };
}

async function findPayment(db: Db, objectId: string): Promise<string> {
  const payments = db.selectFrom("payments").select("id");
  const { id } = await payments.where("stripe_object_id", "=", objectId).executeTakeFirstOrThrow();
  return id;
}

async function findPlayer(db: Db, key: string) {
  const row = await db
    .selectFrom("profiles")
    .select(["user_id", "wallet_balance_eur"])
    .where("email", "=", `${key}@uni.example`)
    .executeTakeFirstOrThrow();
  return { userId: row.user_id, balanceCents: centsFromNumeric(row.wallet_balance_eur) };
}
