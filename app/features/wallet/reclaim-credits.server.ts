import { sql } from "kysely";
import type { Tx } from "#app/platform/db.server.ts";
import { numericFromCents, centsFromNumeric } from "#app/platform/money.ts";
import { lockDebtor } from "./debts.server.ts";
import { findPaymentId } from "./payments.server.ts";
import { disputeStage, expiryOfLateCredits, isMoneyGone, takenBackTarget } from "./rules.ts";
import type { Effect, Told, Dispute } from "./stripe-event.ts";
import { changeDebt, credit, giveBack, type LedgerEntry } from "./ledger.server.ts";
import { spendLots } from "./lots.server.ts";

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

/**
 * Brings the credits of a payment in line with its money after a refund or a dispute: takes back
 * what the money no longer pays for, from the payment's own lots first, and books what was spent
 * already as a debt; or gives again what came back. `cause` names the event, for the ledger.
 */
export async function takeBack(
  tx: Tx,
  { paymentId, cause, notes, now }: { paymentId: string; cause: string; notes: string; now: Date },
): Promise<void> {
  const { userId, balanceCents } = await lockDebtor(tx, paymentId);
  const payment = await readPayment(tx, paymentId);
  const cents = takenBackTarget(payment) - payment.takenBackCents;
  const entry = { userId, notes, businessKey: `reversal:${cause}` };
  if (cents > 0)
    await take(tx, "reversal", { ...entry, amountCents: cents }, payment, balanceCents);
  if (cents >= 0) return;
  const amountCents = await forgive(tx, payment, userId, -cents);
  if (amountCents === 0) return;
  await credit(tx, "reversal", { ...entry, amountCents }, lotFor(payment, now));
}

interface Withdrawn {
  withdrawalId: string;
  paymentId: string;
}

/**
 * Takes the credits of a withdrawal that has just been stored, as if its money had been refunded
 * already: the refund itself then takes nothing more. Answers how many, in cents.
 */
export async function withdrawCredits(
  tx: Tx,
  { withdrawalId, paymentId }: Withdrawn,
): Promise<number> {
  const { userId, balanceCents } = await lockDebtor(tx, paymentId);
  const payment = await readPayment(tx, paymentId);
  const amountCents = takenBackTarget(payment) - payment.takenBackCents;
  const notes = "Withdrawal from a purchase";
  const entry = { userId, amountCents, notes, businessKey: keyOf(withdrawalId) };
  if (amountCents > 0) await take(tx, "withdrawal", entry, payment, balanceCents);
  return amountCents;
}

/**
 * Gives back the credits of a withdrawal that was just marked as refused or taken back: what it
 * took, less what the payment's money does not pay for meanwhile, such as after a chargeback.
 */
export async function returnWithdrawn(
  tx: Tx,
  { withdrawalId, paymentId, notes, now }: Withdrawn & { notes: string; now: Date },
): Promise<void> {
  const { userId, isPayer } = await lockDebtor(tx, paymentId);
  const payment = await readPayment(tx, paymentId);
  const cents = payment.takenBackCents - takenBackTarget(payment);
  if (cents <= 0) return;
  const amountCents = await forgive(tx, payment, userId, cents);
  if (amountCents === 0) return;
  const businessKey = `withdrawal-return:${withdrawalId}`;
  const entry = { userId, amountCents, notes, businessKey };
  // The lots of a deleted account are not those of the address's next one.
  if (!isPayer) return credit(tx, "withdrawal", entry, lotFor(payment, now));
  const taking = sql<boolean>`entry.business_key = ${keyOf(withdrawalId)}`;
  await giveBack(tx, "withdrawal", entry, taking, now);
}

const keyOf = (withdrawalId: string) => `withdrawal:${withdrawalId}`;

type Payment = Awaited<ReturnType<typeof readPayment>>;

/** Where credits of a payment come again that were taken back. */
function lotFor({ paymentId, expiresAt }: Payment, now: Date) {
  const until = expiresAt && expiryOfLateCredits(expiresAt, now);
  return { source: "adjustment", paymentId, expiresAt: until } as const;
}

async function take(
  tx: Tx,
  type: "reversal" | "withdrawal",
  entry: LedgerEntry,
  { paymentId }: Payment,
  balanceCents: number,
) {
  await changeTakenBack(tx, paymentId, entry.amountCents);
  const amountCents = Math.min(entry.amountCents, balanceCents);
  if (amountCents > 0) await spendLots(tx, type, { ...entry, amountCents }, paymentId);
  const owedCents = entry.amountCents - amountCents;
  if (owedCents > 0) await changeDebt(tx, { userId: entry.userId, paymentId, cents: owedCents });
}

/** What is owed for the payment is forgiven first. Answers what of `cents` is left to be given. */
async function forgive(tx: Tx, { paymentId, owedCents }: Payment, userId: string, cents: number) {
  const forgivenCents = Math.min(cents, owedCents);
  if (forgivenCents > 0) await changeDebt(tx, { userId, paymentId, cents: -forgivenCents });
  await changeTakenBack(tx, paymentId, -cents);
  return cents - forgivenCents;
}

// The debt is a part of it: raised first and lowered last, it is never the smaller of the two.
async function changeTakenBack(tx: Tx, paymentId: string, cents: number) {
  await tx
    .updateTable("payments")
    .set({ taken_back_eur: sql`taken_back_eur + ${numericFromCents(cents)}` })
    .where("id", "=", paymentId)
    .execute();
}

async function readPayment(tx: Tx, paymentId: string) {
  const payment = await tx
    .selectFrom("payments")
    .selectAll()
    .where("id", "=", paymentId)
    .executeTakeFirstOrThrow();
  const refundedCents = centsFromNumeric(payment.refunded_eur);
  const promisedCents = await readPromised(tx, paymentId);
  return {
    paymentId,
    amountCents: centsFromNumeric(payment.amount_eur),
    creditsCents: centsFromNumeric(payment.credits_eur),
    returnedCents: Math.max(refundedCents, promisedCents) + (await readDisputed(tx, paymentId)),
    takenBackCents: centsFromNumeric(payment.taken_back_eur),
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

/** So much will have been refunded in all once a withdrawal is paid back; 0 where there is none. */
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

/**
 * When the payment's credits lapse, and how many of them have lapsed unspent: with their month, or
 * with the account that was deleted.
 */
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
