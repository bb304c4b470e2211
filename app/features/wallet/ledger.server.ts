import { type RawBuilder, sql } from "kysely";
import { type Db, inCents, type Tx, isOneOf } from "#app/platform/db.server.ts";
import { numericFromCents } from "#app/platform/money.ts";
import {
  grantLot,
  type LedgerEntry,
  type Lot,
  type RestoredEntry,
  restoreLots,
  spending,
  spendLots,
} from "./lots.server.ts";

export interface Wallet {
  balanceCents: number;
  /** For credits spent before their payment was refunded or disputed. */
  debtCents: number;
}

/** Read by lockWallet or lockWallets of this transaction, which has not moved it since. */
export interface LockedWallet extends Wallet {
  userId: string;
  isGone: boolean;
}

/** Builds a statement; null if the balance is too low or a debt is open. */
export function debit(wallet: LockedWallet, entry: Omit<LedgerEntry, "userId">) {
  const suffices = wallet.debtCents === 0 && wallet.balanceCents >= entry.amountCents;
  return suffices ? spending("deduction", { ...entry, userId: wallet.userId }) : null;
}

/** A debt is settled at once. A repeated business key fails and rolls the caller back. */
export async function credit(
  tx: Tx,
  type: "topup" | "credit" | "adjustment" | "reversal" | "withdrawal",
  entry: LedgerEntry,
  lot: Lot,
): Promise<void> {
  const wallet = await lockWallet(tx, entry.userId);
  await grantLot(tx, type, entry, lot);
  if (wallet.debtCents > 0) await payDebts(tx, wallet, entry);
}

export async function topUp(
  db: Db,
  { key, ...given }: Pick<LedgerEntry, "userId" | "amountCents" | "at"> & { key: string },
): Promise<void> {
  const entry = { ...given, notes: "Credit Top-up", businessKey: `topup:${key}` };
  await db.transaction().execute((tx) => credit(tx, "topup", entry, { source: "pack" }));
}

/** Returns what these bookings took, in one statement for all players. Several wallets are locked by
 * the caller before, by `lockWallets`. */
export async function refund(
  tx: Tx,
  entries: (RestoredEntry & { bookingId: string })[],
  now: Date,
): Promise<void> {
  const taking = sql<boolean>`taking.booking_id = entry.booking_id and taking.type = 'deduction'`;
  for (let left = entries; left.length > 0;) {
    // A second one of the same player moves the same wallet again.
    const [firsts, others] = firstOfEach(left);
    await restoreCredits(tx, "refund", firsts, taking, now);
    left = others;
  }
}

function firstOfEach<Entry extends RestoredEntry>(entries: Entry[]): [Entry[], Entry[]] {
  const firsts = new Map<string, Entry>();
  for (const entry of entries) if (!firsts.has(entry.userId)) firsts.set(entry.userId, entry);
  return [[...firsts.values()], entries.filter((entry) => firsts.get(entry.userId) !== entry)];
}

/** Returns the credits that `taking` finds were taken; those of a deleted account lapse again. */
export async function restoreCredits(
  tx: Tx,
  type: "refund" | "withdrawal",
  entries: RestoredEntry[],
  taking: RawBuilder<boolean>,
  now: Date,
): Promise<void> {
  const locked = await lockWallets(
    tx,
    entries.map(({ userId }) => userId),
  );
  const wallets = new Map(locked.map((wallet) => [wallet.userId, wallet]));
  if (wallets.size < entries.length) throw new Error("nobody has this wallet");
  await restoreLots(tx, type, entries, taking, now);
  for (const entry of entries) {
    const wallet = wallets.get(entry.userId)!;
    if (wallet.debtCents > 0) await payDebts(tx, wallet, entry);
    if (wallet.isGone) await lapse(tx, entry);
  }
}

async function lapse(tx: Tx, { userId, businessKey: cause }: RestoredEntry) {
  const { balanceCents: amountCents } = await lockWallet(tx, userId);
  if (amountCents === 0) return;
  const entry = { userId, amountCents, notes: "Account deleted" };
  await spendLots(tx, "adjustment", { ...entry, businessKey: `erasure:${cause}` });
}

export async function deductByAdjustment(tx: Tx, entry: LedgerEntry): Promise<boolean> {
  const { balanceCents } = await lockWallet(tx, entry.userId);
  if (balanceCents < entry.amountCents) return false;
  await spendLots(tx, "adjustment", entry);
  return true;
}

/** After the payments and the game in the lock order. The profile's row is the wallet. */
export async function lockWallet(tx: Tx, userId: string): Promise<LockedWallet> {
  const [wallet] = await lockWallets(tx, [userId]);
  if (!wallet) throw new Error("nobody has this wallet");
  return wallet;
}

/** Whatever needs several wallets locks them here, by user id: nobody waits in a circle. */
export function lockWallets(tx: Tx, userIds: string[]): Promise<LockedWallet[]> {
  return lockedWallets(tx, isOneOf("user_id", userIds)).execute();
}

/** The same lock as a statement, to be sent together with what is read after it. */
export function lockedWallets(tx: Tx, whose: RawBuilder<boolean>) {
  return tx
    .selectFrom("profiles")
    .select([
      "user_id as userId",
      inCents("wallet_balance_eur").as("balanceCents"),
      inCents("wallet_debt_eur").as("debtCents"),
      sql<boolean>`deleted_at is not null`.as("isGone"),
    ])
    .where(whose)
    .orderBy("user_id")
    .forUpdate();
}

/** The same lock, to wait for a concurrent deletion; false if the account is gone. */
export async function lockLiveAccount(tx: Tx, userId: string): Promise<boolean> {
  const account = await tx
    .selectFrom("profiles")
    .select("user_id")
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  return account !== undefined;
}

async function payDebts(tx: Tx, wallet: Wallet, entry: RestoredEntry): Promise<void> {
  const { userId, businessKey } = entry;
  let leftCents = Math.min(wallet.debtCents, wallet.balanceCents + entry.amountCents);
  await spendLots(tx, "reversal", {
    userId,
    amountCents: leftCents,
    notes: "Settles a payment that was taken back",
    businessKey: `settle:${businessKey}`,
  });
  for (const payment of await listDebts(tx, userId)) {
    const cents = Math.min(leftCents, payment.missingCents);
    if (cents > 0) await changeDebt(tx, { userId, paymentId: payment.id, cents: -cents });
    leftCents -= cents;
  }
}

function listDebts(tx: Tx, userId: string) {
  const former = tx.selectFrom("former_payers").select("former_id").where("user_id", "=", userId);
  return tx
    .selectFrom("payments")
    .select(["id", inCents("owed_eur").as("missingCents")])
    .where((eb) => eb.or([eb("user_id", "=", userId), eb("user_id", "in", former)]))
    .where("owed_eur", ">", "0")
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** Changes what is owed for a payment, and with it the player's debt. The wallet must be locked. */
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
