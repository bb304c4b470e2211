import { sql } from "kysely";
import type { Tx } from "#app/platform/db.server.ts";
import { centsFromNumeric, numericFromCents } from "#app/platform/money.ts";
import { lockDebtor } from "./debts.server.ts";
import { changeDebt, credit, restoreCredits } from "./ledger.server.ts";
import { type LedgerEntry, spendLots } from "./lots.server.ts";
import { findPaymentId } from "./payments.server.ts";
import { disputeStage, expiryOfLateCredits, isMoneyGone, reclaimTarget } from "./rules.ts";
import type { Dispute, Effect, EventMeta } from "./stripe-event.ts";

// "Reclaim" takes a payment's credits from the player, because its money went back; "restore" gives
// them to the player again. The column is payments.taken_back_eur.

/** Reclaims what a refund no longer pays for. Stripe reports the whole amount refunded so far. */
export async function applyRefund(
  tx: Tx,
  refund: { payment: string[]; refundedCents: number },
  meta: EventMeta,
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
    const state = { status, amount_eur };
    await tx
      .insertInto("disputes")
      .values({ id, payment_id: paymentId, ...state })
      .onConflict((conflict) => conflict.column("id").doUpdateSet(state))
      .execute();
  }
  await matchCreditsToMoney(tx, paymentId, "Payment disputed", meta);
  return { matches: [] };
}

/** Events may come in any order; a dispute only ever moves on. */
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

async function matchCreditsToMoney(
  tx: Tx,
  paymentId: string,
  notes: string,
  { eventId, now }: EventMeta,
): Promise<void> {
  const { userId, balanceCents } = await lockDebtor(tx, paymentId);
  const payment = await readPayment(tx, paymentId);
  const cents = reclaimTarget(payment) - payment.reclaimedCents;
  const entry = { userId, notes, businessKey: `reversal:${eventId}` };
  if (cents > 0)
    await reclaim(tx, "reversal", { ...entry, amountCents: cents }, payment, balanceCents);
  if (cents >= 0) return;
  const amountCents = await forgiveDebt(tx, payment, userId, -cents);
  if (amountCents === 0) return;
  await credit(tx, "reversal", { ...entry, amountCents }, lotFor(payment, now));
}

interface Withdrawal {
  withdrawalId: string;
  paymentId: string;
}

/** As if `refundCents` (euros) were refunded already. Returns the credits reclaimed, in cents. */
export async function reclaimForWithdrawal(
  tx: Tx,
  { withdrawalId, paymentId, refundCents }: Withdrawal & { refundCents: number },
): Promise<number> {
  const { userId, balanceCents } = await lockDebtor(tx, paymentId);
  const payment = await readPayment(tx, paymentId, refundCents);
  const amountCents = reclaimTarget(payment) - payment.reclaimedCents;
  const notes = "Withdrawal from a purchase";
  const entry = { userId, amountCents, notes, businessKey: keyOf(withdrawalId) };
  if (amountCents > 0) await reclaim(tx, "withdrawal", entry, payment, balanceCents);
  return amountCents;
}

/** Restores what an ended withdrawal took and the money still pays for, less a chargeback. */
export async function restoreForWithdrawal(
  tx: Tx,
  { withdrawalId, paymentId, notes, now }: Withdrawal & { notes: string; now: Date },
): Promise<void> {
  const { userId, isPayer } = await lockDebtor(tx, paymentId);
  const payment = await readPayment(tx, paymentId);
  const cents = payment.reclaimedCents - reclaimTarget(payment);
  if (cents <= 0) return;
  const amountCents = await forgiveDebt(tx, payment, userId, cents);
  if (amountCents === 0) return;
  const businessKey = `withdrawal-return:${withdrawalId}`;
  const entry = { userId, amountCents, notes, businessKey };
  // The lots of a deleted account are not those of the address's next one.
  if (!isPayer) return credit(tx, "withdrawal", entry, lotFor(payment, now));
  const taking = sql<boolean>`entry.business_key = ${keyOf(withdrawalId)}`;
  await restoreCredits(tx, "withdrawal", entry, taking, now);
}

const keyOf = (withdrawalId: string) => `withdrawal:${withdrawalId}`;

type Payment = Awaited<ReturnType<typeof readPayment>>;

function lotFor({ paymentId, expiresAt }: Payment, now: Date) {
  const until = expiresAt && expiryOfLateCredits(expiresAt, now);
  return { source: "adjustment", paymentId, expiresAt: until } as const;
}

async function reclaim(
  tx: Tx,
  type: "reversal" | "withdrawal",
  entry: LedgerEntry,
  { paymentId }: Payment,
  balanceCents: number,
) {
  await changeReclaimed(tx, paymentId, entry.amountCents);
  const amountCents = Math.min(entry.amountCents, balanceCents);
  if (amountCents > 0) await spendLots(tx, type, { ...entry, amountCents }, paymentId);
  const owedCents = entry.amountCents - amountCents;
  if (owedCents > 0) await changeDebt(tx, { userId: entry.userId, paymentId, cents: owedCents });
}

async function forgiveDebt(
  tx: Tx,
  { paymentId, owedCents }: Payment,
  userId: string,
  cents: number,
) {
  const forgivenCents = Math.min(cents, owedCents);
  if (forgivenCents > 0) await changeDebt(tx, { userId, paymentId, cents: -forgivenCents });
  await changeReclaimed(tx, paymentId, -cents);
  return cents - forgivenCents;
}

// The debt is a part of it: raised first and lowered last, it is never the smaller of the two.
async function changeReclaimed(tx: Tx, paymentId: string, cents: number) {
  await tx
    .updateTable("payments")
    .set({ taken_back_eur: sql`taken_back_eur + ${numericFromCents(cents)}` })
    .where("id", "=", paymentId)
    .execute();
}

async function readPayment(tx: Tx, paymentId: string, refundCents = 0) {
  const payment = await tx
    .selectFrom("payments")
    .selectAll()
    .where("id", "=", paymentId)
    .executeTakeFirstOrThrow();
  const refundedCents = centsFromNumeric(payment.refunded_eur) + refundCents;
  const promisedCents = await readPromised(tx, paymentId);
  return {
    paymentId,
    amountCents: centsFromNumeric(payment.amount_eur),
    creditsCents: centsFromNumeric(payment.credits_eur),
    returnedCents: Math.max(refundedCents, promisedCents) + (await readDisputed(tx, paymentId)),
    reclaimedCents: centsFromNumeric(payment.taken_back_eur),
    owedCents: centsFromNumeric(payment.owed_eur),
    ...(await readLot(tx, paymentId)),
  };
}

async function readDisputed(tx: Tx, paymentId: string): Promise<number> {
  const disputes = await tx
    .selectFrom("disputes")
    .select(["amount_eur", "status"])
    .where("payment_id", "=", paymentId)
    .execute();
  return disputes
    .filter(({ status }) => isMoneyGone(status))
    .reduce((sum, dispute) => sum + centsFromNumeric(dispute.amount_eur), 0);
}

async function readPromised(tx: Tx, paymentId: string): Promise<number> {
  const withdrawal = await tx
    .selectFrom("withdrawals")
    .select(["amount_eur", "refunded_before_eur"])
    .where("payment_id", "=", paymentId)
    .where("credits_taken", "=", true)
    .where("outcome", "is", null)
    .executeTakeFirst();
  if (!withdrawal) return 0;
  const { amount_eur, refunded_before_eur } = withdrawal;
  return centsFromNumeric(amount_eur) + centsFromNumeric(refunded_before_eur);
}

/** The payment's credits lapse unspent with their month, or with the account that was deleted. */
async function readLot(tx: Tx, paymentId: string) {
  const { rows } = await sql<{ expiresAt: Date | null; lapsed: string }>`
    select lot.expires_at as "expiresAt", (
      select coalesce(-sum(part.amount_eur), 0) from lot_entries part
      join wallet_transactions entry on entry.id = part.transaction_id
        and (entry.type = 'expiry' or starts_with(entry.business_key, 'erasure:'))
      join credit_lots lapsed on lapsed.id = part.lot_id and lapsed.payment_id = lot.payment_id
    ) as lapsed
    from credit_lots lot where lot.payment_id = ${paymentId} order by lot.seq limit 1`.execute(tx);
  const { lapsed, ...lot } = rows[0]!;
  return { ...lot, lapsedCents: centsFromNumeric(lapsed) };
}
