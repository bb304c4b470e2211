import { sql } from "kysely";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import { lockWallet } from "./ledger.server.ts";
import { CHARGEBACK_DAYS, DEBT_DAYS } from "./rules.ts";

/**
 * Makes a new account owe what deleted accounts of its address owe, and whatever a bank takes back
 * from them later. On the transaction that creates the profile. An address that an account has now
 * keeps its debts: nothing is taken over from it.
 */
export async function recallDebt(
  tx: Tx,
  { userId, addressHash }: { userId: string; addressHash: string },
  now: Date,
): Promise<void> {
  const remembered = await tx
    .selectFrom("former_payers")
    .select(["former_id", "user_id"])
    .where("address_hash", "=", addressHash)
    .where(hasNoAccountSince(daysBefore(now, DEBT_DAYS)))
    .execute();
  if (remembered.length === 0) return;
  const wallets = new Set(remembered.flatMap((row) => [row.former_id, row.user_id ?? []].flat()));
  for (const walletId of [...wallets].toSorted()) await lockWallet(tx, walletId);
  const formerIds = remembered.map((row) => row.former_id);
  await tx
    .updateTable("former_payers")
    .set({ user_id: userId })
    .where("former_id", "in", formerIds)
    .execute();
  await sumDebts(tx, [...wallets, userId]);
}

/** Whether the last account of the address was deleted, and after that time. */
function hasNoAccountSince(time: Date) {
  return sql<boolean>`(
    select deleted_at from profiles
    where profiles.user_id = coalesce(former_payers.user_id, former_id)
  ) > ${time}`;
}

/** Sums up what wallets owe: what their payments do, and those of the former accounts. */
async function sumDebts(tx: Tx, userIds: string[]): Promise<void> {
  await sql`
    update profiles set wallet_debt_eur = (
      select coalesce(sum(owed_eur), 0) from payments
      left join former_payers on former_id = payments.user_id
      where coalesce(former_payers.user_id, payments.user_id) = profiles.user_id
    ) where user_id = any(${userIds}::uuid[])`.execute(tx);
}

/**
 * Remembers of an account that goes by which address its debt is known again, where it owes or a
 * bank could still take a payment back. On the caller's transaction, with the wallet locked.
 */
export async function rememberDebt(
  tx: Tx,
  { userId, addressHash, now }: { userId: string; addressHash: string; now: Date },
): Promise<void> {
  await sql`
    insert into former_payers (former_id, address_hash)
    select user_id, ${addressHash} from profiles
    where user_id = ${userId} and (wallet_debt_eur > 0 or exists (
      select from payments where user_id = profiles.user_id
        and created_at > ${daysBefore(now, CHARGEBACK_DAYS)}
    ))`.execute(tx);
}

/**
 * Lets go what was remembered long enough: an account that owes nothing when no bank takes its
 * payments back any more, any address DEBT_DAYS after its last account was deleted. One that fails does not keep the others.
 */
export async function forgetDebts(db: Db, now: Date): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select former_id as id from former_payers where ${isSettled(now)}`.execute(db);
  for (const { id } of rows) {
    await db
      .transaction()
      .execute((tx) => forgetDebtOf(tx, id, now))
      .catch((error) => log.error({ err: error, userId: id }, "former debt not deleted"));
  }
  await db
    .updateTable("former_payers")
    .set({ address_hash: null })
    .where("address_hash", "is not", null)
    .where(sql<boolean>`not ${hasNoAccountSince(daysBefore(now, DEBT_DAYS))}`)
    .execute();
}

async function forgetDebtOf(tx: Tx, id: string, now: Date): Promise<void> {
  // A chargeback that is under way is waited for, and then it is owed for.
  await lockWallet(tx, id);
  await sql`delete from former_payers where former_id = ${id} and ${isSettled(now)}`.execute(tx);
}

/** Nothing is owed for the account's payments, and nothing will be. */
function isSettled(now: Date) {
  return sql<boolean>`not exists (
      select from payments where payments.user_id = former_id and owed_eur > 0
    ) and exists (
      select from profiles where profiles.user_id = former_id
        and deleted_at <= ${daysBefore(now, CHARGEBACK_DAYS)}
    )`;
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 86_400_000);
}
