import { sql } from "kysely";
import type { Tx } from "../../platform/db.server.ts";
import { centsFromNumeric, numericFromCents } from "../../platform/money.ts";
import { changeDebt } from "./debts.server.ts";
import { credit, type LedgerEntry, lockWallet } from "./ledger.server.ts";
import { spendLots } from "./lots.server.ts";
import { expiryOfLateCredits, isMoneyGone, takenBackTarget } from "./rules.ts";

/**
 * Brings the credits of a payment in line with its money after a refund or a dispute: takes back
 * what the money no longer pays for, from the payment's own lot first, and books what was spent
 * already as a debt; or gives again what came back. `cause` names the event, for the ledger.
 */
export async function takeBack(
  tx: Tx,
  { paymentId, cause, notes, now }: { paymentId: string; cause: string; notes: string; now: Date },
): Promise<void> {
  const { userId } = await findOwner(tx, paymentId);
  const wallet = await lockWallet(tx, userId);
  const payment = await readPayment(tx, paymentId);
  const change = takenBackTarget(payment) - payment.takenBackCents;
  if (change === 0) return;
  const entry = { userId, notes, businessKey: `reversal:${cause}` };
  if (change > 0) await take(tx, { ...entry, amountCents: change }, payment, wallet.balanceCents);
  else await giveAgain(tx, { ...entry, amountCents: -change }, payment, now);
}

type Payment = Awaited<ReturnType<typeof readPayment>>;

async function take(tx: Tx, entry: LedgerEntry, payment: Payment, balanceCents: number) {
  await changeTakenBack(tx, payment.paymentId, entry.amountCents);
  const amountCents = Math.min(entry.amountCents, balanceCents);
  if (amountCents > 0) await spendLots(tx, "reversal", { ...entry, amountCents }, payment.lotId);
  const owedCents = entry.amountCents - amountCents;
  if (owedCents > 0) await changeDebt(tx, { ...payment, userId: entry.userId, cents: owedCents });
}

async function giveAgain(tx: Tx, entry: LedgerEntry, payment: Payment, now: Date) {
  const forgivenCents = Math.min(entry.amountCents, payment.owedCents);
  if (forgivenCents > 0) {
    await changeDebt(tx, { ...payment, userId: entry.userId, cents: -forgivenCents });
  }
  const { paymentId } = payment;
  await changeTakenBack(tx, paymentId, -entry.amountCents);
  const amountCents = entry.amountCents - forgivenCents;
  if (amountCents === 0) return;
  const expiresAt = payment.expiresAt && expiryOfLateCredits(payment.expiresAt, now);
  await credit(
    tx,
    "reversal",
    { ...entry, amountCents },
    { source: "adjustment", paymentId, expiresAt },
  );
}

// The debt is a part of it: raised first and lowered last, it is never the smaller of the two.
async function changeTakenBack(tx: Tx, paymentId: string, cents: number) {
  await tx
    .updateTable("payments")
    .set({ taken_back_eur: sql`taken_back_eur + ${numericFromCents(cents)}` })
    .where("id", "=", paymentId)
    .execute();
}

// A payment never changes its player, so this may be read before the wallet is locked.
async function findOwner(tx: Tx, paymentId: string): Promise<{ userId: string }> {
  return tx
    .selectFrom("payments")
    .select("user_id as userId")
    .where("id", "=", paymentId)
    .executeTakeFirstOrThrow();
}

async function readPayment(tx: Tx, paymentId: string) {
  const payment = await tx
    .selectFrom("payments")
    .selectAll()
    .where("id", "=", paymentId)
    .executeTakeFirstOrThrow();
  const disputes = await tx
    .selectFrom("disputes")
    .select(["amount_eur", "status"])
    .where("payment_id", "=", paymentId)
    .execute();
  const disputedCents = disputes
    .filter(({ status }) => isMoneyGone(status))
    .reduce((sum, dispute) => sum + centsFromNumeric(dispute.amount_eur), 0);
  return {
    paymentId,
    amountCents: centsFromNumeric(payment.amount_eur),
    creditsCents: centsFromNumeric(payment.credits_eur),
    returnedCents: centsFromNumeric(payment.refunded_eur) + disputedCents,
    takenBackCents: centsFromNumeric(payment.taken_back_eur),
    owedCents: centsFromNumeric(payment.owed_eur),
    ...(await readLot(tx, paymentId)),
  };
}

/** The payment's lot, and how much of its lots has lapsed unspent. */
async function readLot(tx: Tx, paymentId: string) {
  const { rows } = await sql<{ lotId: string; expiresAt: Date | null; lapsed: string }>`
    select lot.id as "lotId", lot.expires_at as "expiresAt", (
      select coalesce(-sum(part.amount_eur), 0) from lot_entries part
      join wallet_transactions entry on entry.id = part.transaction_id and entry.type = 'expiry'
      join credit_lots lapsed on lapsed.id = part.lot_id and lapsed.payment_id = lot.payment_id
    ) as lapsed
    from credit_lots lot where lot.payment_id = ${paymentId} order by lot.seq limit 1`.execute(tx);
  const { lapsed, ...lot } = rows[0]!;
  return { ...lot, lapsedCents: centsFromNumeric(lapsed) };
}
