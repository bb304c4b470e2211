import { type RawBuilder, sql } from "kysely";
import { type Db, inCents, type Tx } from "#app/platform/db.server.ts";
import { numericFromCents } from "#app/platform/money.ts";
import type { LotSource, TransactionType } from "#app/platform/schema.ts";
import { expiryOfLateCredits } from "./rules.ts";

export interface LedgerEntry {
  userId: string;
  /** Always positive; the function decides the direction. */
  amountCents: number;
  notes: string;
  bookingId?: string;
  businessKey: string;
  /** The transaction's time if it is left out. */
  at?: Date | undefined;
}

export interface Lot {
  source: LotSource;
  expiresAt?: Date | null;
  paymentId?: string;
  subscriptionId?: string | null;
  periodEnd?: Date | null;
}

// Each of these is one statement that writes the entry, moves the lots and moves the balance by the
// same amount. The wallet must be locked, which keeps lots and balance in step.

export async function spendLots(tx: Tx, ...spent: Parameters<typeof spending>): Promise<void> {
  await spending(...spent).execute(tx);
}

/** Takes credits from the lots of `preferred` (a lot or a payment), then from what expires first. */
export function spending(
  type: TransactionType,
  entry: LedgerEntry,
  preferred: string | null = null,
): RawBuilder<unknown> {
  const amount = numericFromCents(entry.amountCents);
  return sql`
    with entry as (${insertEntry(type, entry, `-${amount}`)}),
    open as (
      select id, remaining_eur, sum(remaining_eur) over (
        order by (${preferred}::uuid in (id, payment_id)) is true desc, expires_at nulls last, seq
      ) - remaining_eur as before
      from credit_lots where user_id = ${entry.userId} and remaining_eur > 0
    ),
    share as (
      select id, least(remaining_eur, ${amount}::numeric - before) as taken
      from open where before < ${amount}::numeric
    ),
    spent as (
      update credit_lots set remaining_eur = credit_lots.remaining_eur - share.taken
      from share where credit_lots.id = share.id
    ),
    split as (
      insert into lot_entries (transaction_id, lot_id, amount_eur)
      select entry.id, share.id, -share.taken from entry, share
    )
    ${moveBalance}`;
}

export async function grantLot(tx: Tx, type: TransactionType, entry: LedgerEntry, lot: Lot) {
  const { source, expiresAt, paymentId, subscriptionId, periodEnd } = lot;
  await sql`
    with entry as (${insertEntry(type, entry, numericFromCents(entry.amountCents))}),
    lot as (
      insert into credit_lots (user_id, source, granted_eur, remaining_eur, expires_at, payment_id,
        subscription_id, period_end, transaction_id)
      select user_id, ${source}, amount_eur, amount_eur, ${expiresAt ?? null}::timestamptz,
        ${paymentId ?? null}::uuid, ${subscriptionId ?? null}, ${periodEnd ?? null}::timestamptz, id
      from entry
    )
    ${moveBalance}`.execute(tx);
}

/** Entries of different players: each lot and each balance moves once. */
export type RestoredEntry = Omit<LedgerEntry, "at">;

// Back to the lots that the earlier entry, `taking`, took them from, longest-lived first, so that a fee
// is borne by what would expire soonest. The lapsed part becomes a lot of its own for REVIVED_DAYS.
export async function restoreLots(
  tx: Tx,
  type: "refund" | "withdrawal",
  entries: RestoredEntry[],
  taking: RawBuilder<boolean>,
  now: Date,
): Promise<void> {
  await sql`
    with entry as (${insertEntries(type, entries)}),
    paid as (${paidBy(taking, now)}),
    share as (
      select entry_id, id, is_lapsed, least(taken, amount_eur - before) as given
      from paid where before < amount_eur
    ),
    returned as (
      update credit_lots set remaining_eur = remaining_eur + share.given
      from share where credit_lots.id = share.id and not is_lapsed
    ),
    split as (
      insert into lot_entries (transaction_id, lot_id, amount_eur)
      select entry_id, id, given from share where not is_lapsed
    ),
    revived as (
      select entry_id, sum(given) as given, ${expiryOfLateCredits(now, now)}::timestamptz as until
      from share where is_lapsed group by entry_id
      union all
      -- What was paid before there were lots never expires.
      select entry.id, amount_eur - coalesce(sum(given), 0), null
      from entry left join share on entry_id = entry.id group by entry.id, amount_eur
    ),
    lots as (
      insert into credit_lots (user_id, source, granted_eur, remaining_eur, expires_at,
        transaction_id)
      select user_id, 'refund', given, given, until, id
      from entry join revived on entry_id = entry.id where given > 0
    )
    ${moveBalance}`.execute(tx);
}

// A lot emptied by an expiry has lapsed, even if its date is in the future.
function paidBy(taking: RawBuilder<boolean>, now: Date) {
  return sql`
    select entry.id as entry_id, entry.amount_eur, lot.id, -part.amount_eur as taken,
    sum(-part.amount_eur) over (
      partition by entry.id order by lot.expires_at desc nulls first, lot.seq desc
    ) + part.amount_eur as before, coalesce(lot.expires_at <= ${now}, false) or exists (
      select from lot_entries emptied
      join wallet_transactions expiry on expiry.id = emptied.transaction_id
      where emptied.lot_id = lot.id and expiry.type = 'expiry'
    ) as is_lapsed
    from entry join wallet_transactions taking on ${taking}
    join lot_entries part on part.transaction_id = taking.id
    join credit_lots lot on lot.id = part.lot_id`;
}

function insertEntries(type: TransactionType, entries: RestoredEntry[]) {
  const amounts = entries.map(({ amountCents }) => numericFromCents(amountCents));
  const column = (name: "userId" | "notes" | "bookingId" | "businessKey") =>
    entries.map((entry) => entry[name] ?? null);
  return sql`
    insert into wallet_transactions (user_id, type, amount_eur, notes, booking_id, business_key)
    select user_id, ${type}, amount_eur, notes, booking_id, business_key
    from unnest(${column("userId")}::uuid[], ${amounts}::numeric[], ${column("notes")}::text[],
      ${column("bookingId")}::uuid[], ${column("businessKey")}::text[])
      as given (user_id, amount_eur, notes, booking_id, business_key)
    returning id, user_id, amount_eur, booking_id`;
}

function insertEntry(type: TransactionType, entry: LedgerEntry, amount: string) {
  const { userId, notes, bookingId = null, businessKey, at = null } = entry;
  return sql`
    insert into wallet_transactions (user_id, type, amount_eur, notes, booking_id, business_key,
      created_at)
    values (${userId}, ${type}, ${amount}, ${notes}, ${bookingId}, ${businessKey},
      coalesce(${at}::timestamptz, now()))
    returning id, user_id, amount_eur`;
}

const moveBalance = sql`
  update profiles set wallet_balance_eur = wallet_balance_eur + entry.amount_eur
  from entry where profiles.user_id = entry.user_id`;

export function listOpenLots(db: Db, userId: string) {
  return (
    db
      .selectFrom("credit_lots")
      .select(["id", "source", "expires_at as expiresAt"])
      .select(inCents("remaining_eur").as("remainingCents"))
      // True for a payment that was taken back and won again.
      .select(sql<boolean>`source = 'adjustment' and payment_id is not null`.as("isRestored"))
      .where("user_id", "=", userId)
      .where("remaining_eur", ">", "0")
      .orderBy("expires_at", (order) => order.asc().nullsLast())
      .orderBy("seq")
      .execute()
  );
}
export type OpenLot = Awaited<ReturnType<typeof listOpenLots>>[number];
