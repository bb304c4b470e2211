import { sql } from "kysely";
import { inCents, type Tx } from "#app/platform/db.server.ts";
import { numericFromCents } from "#app/platform/money.ts";
import { lockDebtor } from "./debts.server.ts";
import { changeDebt, credit, restoreCredits } from "./ledger.server.ts";
import { type LedgerEntry, spendLots } from "./lots.server.ts";
import { isRefundOfUnmatched } from "./refunds.server.ts";
import { findPaymentId } from "./payments.server.ts";
import { disputeStage, expiryOfLateCredits, isMoneyGone, reclaimTarget } from "./rules.ts";
import type { Dispute, Effect, EventMeta } from "#app/features/wallet/stripe/stripe-event.ts";

// "Reclaim" takes a payment's credits from the player, because its money went back; "restore" gives
// them to the player again. The column is payments.taken_back_eur.

/** Reclaims what a refund no longer pays for. Stripe reports the whole amount refunded so far. */
export async function applyRefund(
  tx: Tx,
  refund: { payment: string[]; refundedCents: number },
  meta: EventMeta,
): Promise<Effect> {
  const paymentId = await findPaymentId(tx, refund.payment);
  if (!paymentId) {
    const isOurs = await isRefundOfUnmatched(tx, refund.payment);
    return isOurs ? { matches: [] } : unknownPayment(refund.payment);
  }
  // Locked before the payment's row, which a withdrawal writes under the wallet's lock.
  await lockDebtor(tx, paymentId);
  const refunded = numericFromCents(refund.refundedCents);
  await tx
    .updateTable("payments")
    .set({ refunded_eur: refunded, refunded_at: meta.at })
    .where("id", "=", paymentId)
    .where("refunded_eur", "<", refunded)
    .execute();
  await matchCreditsToMoney(tx, paymentId, "Payment refunded", meta);
  return { matches: [] };
}

export async function applyDispute(
  tx: Tx,
  { payment, dispute }: { payment: string[]; dispute: Dispute },
  meta: EventMeta,
): Promise<Effect> {
  const paymentId = await findPaymentId(tx, payment);
  if (!paymentId) return unknownPayment(payment);
  await lockDebtor(tx, paymentId);
  if (await isNewer(tx, dispute)) {
    const { id, status, amountCents } = dispute;
    const whole = sql<string>`(select amount_eur from payments where id = ${paymentId})`;
    const amount_eur = amountCents === null ? whole : numericFromCents(amountCents);
    const state = { status, amount_eur, state_at: meta.at };
    await tx
      .insertInto("disputes")
      .values({ id, payment_id: paymentId, ...state })
      .onConflict((conflict) => conflict.column("id").doUpdateSet(state))
      .execute();
  }
  await matchCreditsToMoney(tx, paymentId, "Payment disputed", meta);
  return { matches: [] };
}

/** Events may come in any order; a dispute never goes back to an earlier state. */
async function isNewer(tx: Tx, { id, status }: Dispute): Promise<boolean> {
  const known = await tx
    .selectFrom("disputes")
    .select("status")
    .where("id", "=", id)
    .executeTakeFirst();
  return !known || disputeStage(status) > disputeStage(known.status);
}

function unknownPayment(payment: string[]): Effect {
  return { unmatched: "unknown-payment", waitsFor: payment.map((id) => `payment:${id}`) };
}

async function matchCreditsToMoney(tx: Tx, paymentId: string, notes: string, meta: EventMeta) {
  const payment = await lockPaidCredits(tx, paymentId);
  const { userId, reclaimCents } = payment;
  const entry = { userId, notes, businessKey: `reversal:${meta.eventId}` };
  if (reclaimCents > 0)
    await reclaim(tx, "reversal", { ...entry, amountCents: reclaimCents }, payment);
  if (reclaimCents >= 0) return;
  const amountCents = await forgiveDebt(tx, payment, -reclaimCents);
  if (amountCents === 0) return;
  await credit(tx, "reversal", { ...entry, amountCents }, lotFor(payment, meta.now));
}

/** What a further refund of a payment does to the credits of its debtor, in cents. */
export interface ReclaimForecast {
  balanceCents: number;
  /** Leave the wallet. */
  takenCents: number;
  /** Are spent already, and owed from then on. */
  debtCents: number;
}

/** Under the debtor's lock. `askedCents` (euros) have been asked for and not been reported yet. */
export async function forecastReclaim(
  tx: Tx,
  {
    paymentId,
    askedCents,
    refundCents,
  }: Record<"askedCents" | "refundCents", number> & { paymentId: string },
): Promise<ReclaimForecast> {
  const before = await lockPaidCredits(tx, paymentId, askedCents);
  const after = await lockPaidCredits(tx, paymentId, askedCents + refundCents);
  const earlierCents = Math.max(0, before.reclaimCents);
  const reclaimCents = Math.max(0, after.reclaimCents) - earlierCents;
  const balanceCents = Math.max(0, before.balanceCents - earlierCents);
  const takenCents = Math.min(reclaimCents, balanceCents);
  return { balanceCents, takenCents, debtCents: reclaimCents - takenCents };
}

interface Withdrawal {
  withdrawalId: string;
  paymentId: string;
}

/** Assumes `refundCents` (euros) as refunded already. Returns the credits reclaimed, in cents. */
export async function reclaimForWithdrawal(
  tx: Tx,
  { withdrawalId, paymentId, refundCents }: Withdrawal & { refundCents: number },
): Promise<number> {
  const payment = await lockPaidCredits(tx, paymentId, refundCents);
  const { userId, reclaimCents: amountCents } = payment;
  const notes = "Withdrawal from a purchase";
  const entry = { userId, amountCents, notes, businessKey: withdrawalKey(withdrawalId) };
  if (amountCents > 0) await reclaim(tx, "withdrawal", entry, payment);
  return amountCents;
}

/** Restores what an ended withdrawal took and the money still pays for, less a chargeback. */
export async function restoreForWithdrawal(
  tx: Tx,
  { withdrawalId, paymentId, notes, now }: Withdrawal & { notes: string; now: Date },
): Promise<void> {
  const payment = await lockPaidCredits(tx, paymentId);
  const { userId, isPayer, reclaimCents } = payment;
  if (reclaimCents >= 0) return;
  const amountCents = await forgiveDebt(tx, payment, -reclaimCents);
  if (amountCents === 0) return;
  const businessKey = `withdrawal-return:${withdrawalId}`;
  const entry = { userId, amountCents, notes, businessKey };
  // A new account of the same address does not get the lots of the deleted one.
  if (!isPayer) return credit(tx, "withdrawal", entry, lotFor(payment, now));
  const taking = sql<boolean>`taking.business_key = ${withdrawalKey(withdrawalId)}`;
  await restoreCredits(tx, "withdrawal", [entry], taking, now);
}

const withdrawalKey = (withdrawalId: string) => `withdrawal:${withdrawalId}`;

type Payment = Awaited<ReturnType<typeof lockPaidCredits>>;

function lotFor({ paymentId, expiresAt }: Payment, now: Date) {
  const until = expiresAt && expiryOfLateCredits(expiresAt, now);
  return { source: "adjustment", paymentId, expiresAt: until } as const;
}

async function reclaim(
  tx: Tx,
  type: "reversal" | "withdrawal",
  entry: LedgerEntry,
  { paymentId, balanceCents }: Payment,
) {
  await changeReclaimed(tx, paymentId, entry.amountCents);
  const amountCents = Math.min(entry.amountCents, balanceCents);
  if (amountCents > 0) await spendLots(tx, type, { ...entry, amountCents }, paymentId);
  const missingCents = entry.amountCents - amountCents;
  if (missingCents > 0)
    await changeDebt(tx, { userId: entry.userId, paymentId, cents: missingCents });
}

async function forgiveDebt(tx: Tx, { userId, paymentId, missingCents }: Payment, cents: number) {
  const forgivenCents = Math.min(cents, missingCents);
  if (forgivenCents > 0) await changeDebt(tx, { userId, paymentId, cents: -forgivenCents });
  await changeReclaimed(tx, paymentId, -cents);
  return cents - forgivenCents;
}

// Debt is part of the reclaimed sum, so raise that first and lower it last.
async function changeReclaimed(tx: Tx, paymentId: string, cents: number) {
  await tx
    .updateTable("payments")
    .set({ taken_back_eur: sql`taken_back_eur + ${numericFromCents(cents)}` })
    .where("id", "=", paymentId)
    .execute();
}

/** Under its debtor's lock; `reclaimCents` of its credits are to be reclaimed, below 0 to be restored. */
async function lockPaidCredits(tx: Tx, paymentId: string, refundCents = 0) {
  const debtor = await lockDebtor(tx, paymentId);
  const { rows } = await sql<PaymentRow>`
    select ${inCents("amount_eur")} as "amountCents", ${inCents("credits_eur")} as "creditsCents",
      ${inCents("refunded_eur")} as "refundedCents",
      ${inCents("taken_back_eur")} as "reclaimedCents", ${inCents("owed_eur")} as "missingCents",
      ${inCents(LAPSED)} as "lapsedCents", ${inCents(PROMISED)} as "promisedCents", (
        select expires_at from credit_lots where payment_id = payments.id order by seq limit 1
      ) as "expiresAt"
    from payments where id = ${paymentId}`.execute(tx);
  const { refundedCents, promisedCents, ...payment } = rows[0]!;
  const paidBackCents = Math.max(refundedCents + refundCents, promisedCents);
  const returnedCents = paidBackCents + (await readDisputed(tx, paymentId));
  const reclaimCents = reclaimTarget({ ...payment, returnedCents }) - payment.reclaimedCents;
  return { ...debtor, ...payment, paymentId, reclaimCents };
}

interface PaymentRow {
  amountCents: number;
  creditsCents: number;
  refundedCents: number;
  reclaimedCents: number;
  missingCents: number;
  lapsedCents: number;
  promisedCents: number;
  expiresAt: Date | null;
}

/** The payment's credits lapse unspent with their month or with the deleted account. */
const LAPSED = sql`(
  select -sum(part.amount_eur) from lot_entries part
  join wallet_transactions entry on entry.id = part.transaction_id
    and (entry.type = 'expiry' or starts_with(entry.business_key, 'erasure:'))
  join credit_lots lapsed on lapsed.id = part.lot_id and lapsed.payment_id = payments.id
)`;

/** The refund promised to a withdrawal that is waiting for it. */
const PROMISED = sql`(
  select amount_eur + refunded_before_eur from withdrawals
  where payment_id = payments.id and credits_taken and outcome is null
)`;

async function readDisputed(tx: Tx, paymentId: string): Promise<number> {
  const disputes = await tx
    .selectFrom("disputes")
    .select(["status", inCents("amount_eur").as("cents")])
    .where("payment_id", "=", paymentId)
    .execute();
  const gone = disputes.filter(({ status }) => isMoneyGone(status));
  return gone.reduce((sum, { cents }) => sum + cents, 0);
}
