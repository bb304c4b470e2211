import { sql } from "kysely";
import type { Tx } from "../../platform/db.server.ts";
import { centsFromNumeric, numericFromCents } from "../../platform/money.ts";
import type { TransactionType } from "../../platform/schema.ts";

export interface LedgerEntry {
  userId: string;
  /** Always positive; the function called says the direction. */
  amountCents: number;
  notes: string;
  bookingId?: string;
  /** Names the deed, such as `refund:{booking}`; a second entry with the same key is refused. */
  businessKey: string;
}

/**
 * Takes credits for a game. Locks the wallet, checks it and writes, in this order; answers false
 * and writes nothing where the balance does not suffice.
 */
export async function debit(tx: Tx, entry: LedgerEntry): Promise<boolean> {
  const balanceCents = await lockWallet(tx, entry.userId);
  if (balanceCents < entry.amountCents) return false;
  await append(tx, "deduction", { ...entry, amountCents: -entry.amountCents });
  return true;
}

/** Gives credits. A repeated business key fails on the unique index and rolls the caller back. */
export async function credit(
  tx: Tx,
  type: "topup" | "refund" | "credit" | "adjustment",
  entry: LedgerEntry,
): Promise<void> {
  await lockWallet(tx, entry.userId);
  await append(tx, type, entry);
}

/** Takes credits by correction; answers false where the balance would fall below 0. */
export async function deductByAdjustment(tx: Tx, entry: LedgerEntry): Promise<boolean> {
  const balanceCents = await lockWallet(tx, entry.userId);
  if (balanceCents < entry.amountCents) return false;
  await append(tx, "adjustment", { ...entry, amountCents: -entry.amountCents });
  return true;
}

/** Second in the lock order, after the game. The profile row stands for the wallet. */
async function lockWallet(tx: Tx, userId: string): Promise<number> {
  const wallet = await tx
    .selectFrom("profiles")
    .select("wallet_balance_eur")
    .where("user_id", "=", userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return centsFromNumeric(wallet.wallet_balance_eur);
}

/** One statement writes the entry and moves the balance by the same amount. */
async function append(tx: Tx, type: TransactionType, entry: LedgerEntry): Promise<void> {
  const amount = numericFromCents(entry.amountCents);
  await sql`
    with entry as (
      insert into wallet_transactions (user_id, type, amount_eur, notes, booking_id, business_key)
      values (${entry.userId}, ${type}, ${amount}, ${entry.notes}, ${entry.bookingId ?? null},
        ${entry.businessKey})
      returning user_id, amount_eur
    )
    update profiles set wallet_balance_eur = wallet_balance_eur + entry.amount_eur
    from entry where profiles.user_id = entry.user_id`.execute(tx);
}
