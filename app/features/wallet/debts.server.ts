import { sql } from "kysely";
import type { Tx } from "#app/platform/db.server.ts";
import { centsFromNumeric, numericFromCents } from "#app/platform/money.ts";
import { type LedgerEntry, spendLots } from "./lots.server.ts";

/**
 * Pays what a wallet owes from the credits that `entry` has just given, the oldest payment first.
 * Wants the wallet locked; `wallet` is as it was before the entry.
 */
export async function settleDebts(
  tx: Tx,
  wallet: { balanceCents: number; debtCents: number },
  entry: LedgerEntry,
): Promise<void> {
  const { userId, businessKey } = entry;
  let leftCents = Math.min(wallet.debtCents, wallet.balanceCents + entry.amountCents);
  await spendLots(tx, "reversal", {
    userId,
    amountCents: leftCents,
    notes: "Settles a payment that was taken back",
    businessKey: `settle:${businessKey}`,
  });
  for (const payment of await listOwed(tx, userId)) {
    const cents = Math.min(leftCents, centsFromNumeric(payment.owed_eur));
    if (cents > 0) await changeDebt(tx, { userId, paymentId: payment.id, cents: -cents });
    leftCents -= cents;
  }
}

/** Moves what is owed for a payment, and with it the player's debt. Wants the wallet locked. */
export async function changeDebt(
  tx: Tx,
  { userId, paymentId, cents }: { userId: string; paymentId: string; cents: number },
): Promise<void> {
  await sql`
    with payment as (
      update payments set owed_eur = owed_eur + ${numericFromCents(cents)} where id = ${paymentId}
    )
    update profiles set wallet_debt_eur = wallet_debt_eur + ${numericFromCents(cents)}
    where user_id = ${userId}`.execute(tx);
}

/** The payments that a player owes for, those of earlier accounts of the address among them. */
function listOwed(tx: Tx, userId: string) {
  const former = tx.selectFrom("former_payers").select("former_id").where("user_id", "=", userId);
  return tx
    .selectFrom("payments")
    .select(["id", "owed_eur"])
    .where((eb) => eb.or([eb("user_id", "=", userId), eb("user_id", "in", former)]))
    .where("owed_eur", ">", "0")
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}
