import type { Tx } from "#app/platform/db.server.ts";
import { lockWallet, type LockedWallet } from "./ledger.server.ts";

/**
 * Locks the wallet that a payment's credits are taken from and given to: its player's, or that of
 * the account that the address of a deleted one has now. The player's own is locked too, by user id
 * ascending, so that a sign-up that takes the debt over waits.
 */
export async function lockDebtor(
  tx: Tx,
  paymentId: string,
): Promise<LockedWallet & { userId: string; isPayer: boolean }> {
  const { user_id: payerId } = await tx
    .selectFrom("payments")
    .select("user_id")
    .where("id", "=", paymentId)
    .executeTakeFirstOrThrow();
  let lockedId;
  let debtorId = await findDebtor(tx, payerId);
  while (lockedId !== debtorId) {
    for (const userId of [...new Set([payerId, debtorId])].toSorted()) await lockWallet(tx, userId);
    lockedId = debtorId;
    debtorId = await findDebtor(tx, payerId);
  }
  const wallet = await lockWallet(tx, debtorId);
  return { ...wallet, userId: debtorId, isPayer: debtorId === payerId };
}

async function findDebtor(tx: Tx, payerId: string): Promise<string> {
  const former = await tx
    .selectFrom("former_payers")
    .select("user_id")
    .where("former_id", "=", payerId)
    .executeTakeFirst();
  return former?.user_id ?? payerId;
}
