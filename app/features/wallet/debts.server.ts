import { type Db, isOneOf, type Tx } from "#app/platform/db.server.ts";
import { runForEach } from "#app/platform/scheduler.server.ts";
import { lockWallet } from "./ledger.server.ts";
import { sql } from "kysely";
import { CHARGEBACK_DAYS, DEBT_DAYS } from "./rules.ts";

// Locks the payer's wallet and that of the account which a deleted payer's address has now, by user id
// ascending, so that a sign-up that takes the debt over waits.
export async function lockDebtor(tx: Tx, paymentId: string) {
  const { user_id: payerId } = await tx
    .selectFrom("payments")
    .select("user_id")
    .where("id", "=", paymentId)
    .executeTakeFirstOrThrow();
  if (payerId === null) throw new Error("nobody has this payment");
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

/** Makes a new account owe what deleted accounts of its address owe, now or by later chargebacks. */
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
    .where(isOneOf("former_id", formerIds))
    .execute();
  await sumDebts(tx, [...wallets, userId]);
}

function hasNoAccountSince(time: Date) {
  return sql<boolean>`(
    select deleted_at from profiles
    where profiles.user_id = coalesce(former_payers.user_id, former_id)
  ) > ${time}`;
}

async function sumDebts(tx: Tx, userIds: string[]): Promise<void> {
  await sql`
    update profiles set wallet_debt_eur = (
      select coalesce(sum(owed_eur), 0) from payments
      left join former_payers on former_id = payments.user_id
      where coalesce(former_payers.user_id, payments.user_id) = profiles.user_id
    ) where user_id = any(${userIds}::uuid[])`.execute(tx);
}

/** Remembers a deleted account's address while it owes or a bank could still take money back. */
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

/** Deletes payers who can owe nothing any more, and any address DEBT_DAYS after the deletion. */
export async function purgeFormerPayers(db: Db, now: Date): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select former_id as id from former_payers where ${isPaidOff(now)}`.execute(db);
  await db
    .updateTable("former_payers")
    .set({ address_hash: null })
    .where("address_hash", "is not", null)
    .where(sql<boolean>`not ${hasNoAccountSince(daysBefore(now, DEBT_DAYS))}`)
    .execute();
  const ids = rows.map(({ id }) => id);
  await runForEach({ ids, of: "userId", failed: "former debt not deleted" }, (id) =>
    db.transaction().execute((tx) => purgeFormerPayer(tx, id, now)),
  );
}

async function purgeFormerPayer(tx: Tx, id: string, now: Date): Promise<void> {
  // Waits for a concurrent chargeback, which then adds a debt.
  await lockWallet(tx, id);
  await sql`delete from former_payers where former_id = ${id} and ${isPaidOff(now)}`.execute(tx);
}

function isPaidOff(now: Date) {
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
