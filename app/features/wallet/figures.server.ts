import { type RawBuilder, sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { type Span, spanRows } from "#app/platform/date-ranges.server.ts";

interface Question {
  weeks: Span[];
  now: Date;
}

export interface IncomeWeek {
  payments: number;
  /** Euros in cents, before anything went back. */
  paidCents: number;
  /** So much of it has gone back since, refunded or taken by the bank. */
  returnedCents: number;
}

/** What was paid in each week; null before the first payment ever. */
export async function sumIncome(db: Db, { weeks, now }: Question): Promise<IncomeWeek[] | null> {
  const { rows } = await sql<IncomeWeek & { hasAny: boolean }>`
    select counted.*, (select min(created_at) from payments) is not null as "hasAny"
    from ${spanRows(weeks, now)} cross join lateral (
      select count(*) as payments, ${inCents(sql`sum(amount_eur)`)} as "paidCents",
        ${inCents(sql`sum(least(amount_eur, refunded_eur + ${takenByBank}))`)} as "returnedCents"
      from payments where created_at >= span.starts and created_at < span.ends
    ) counted
    order by span.place`.execute(db);
  if (!rows[0]?.hasAny) return null;
  return rows.map(({ payments, paidCents, returnedCents }) => ({
    ...{ payments, paidCents, returnedCents },
  }));
}

// The same as isMoneyGone of rules.ts says; an inquiry moves no money.
const takenByBank = sql`(
  select coalesce(sum(disputes.amount_eur), 0) from disputes
  where disputes.payment_id = payments.id
    and status not in ('won', 'prevented') and not starts_with(status, 'warning_'))`;

interface Moved {
  addedCents: number;
  /** Spent, lapsed or taken back. */
  goneCents: number;
}

export interface CreditsWeek extends Moved {
  /** In all wallets at the end of the week. */
  outstandingCents: number;
}

/**
 * The credits that all wallets hold now and held at the end of each week, which is what they hold
 * now less what the ledger has moved since. Null before the first entry ever.
 */
export async function sumCredits(
  db: Db,
  { weeks, now }: Question,
): Promise<{ totalCents: number; weeks: CreditsWeek[] } | null> {
  const { rows } = await sql<Moved & { totalCents: number; hasAny: boolean }>`
    select counted.*, (select ${inCents(sql`sum(wallet_balance_eur)`)} from profiles) as "totalCents",
      (select min(created_at) from wallet_transactions where status = 'completed') is not null
        as "hasAny"
    from ${spanRows(weeks, now)} cross join lateral (
      select ${inCents(sql`sum(amount_eur) filter (where amount_eur > 0)`)} as "addedCents",
        ${inCents(sql`-sum(amount_eur) filter (where amount_eur < 0)`)} as "goneCents"
      from wallet_transactions
      where status = 'completed' and created_at >= span.starts and created_at < span.ends
    ) counted
    order by span.place`.execute(db);
  if (!rows[0]?.hasAny) return null;
  const { totalCents } = rows[0];
  let outstandingCents = totalCents;
  const backwards = rows.toReversed().map(({ addedCents, goneCents }) => {
    const ended = { addedCents, goneCents, outstandingCents };
    outstandingCents -= addedCents - goneCents;
    return ended;
  });
  return { totalCents, weeks: backwards.toReversed() };
}

/** A sum as whole cents: over all wallets it may be larger than any one amount. */
function inCents(sum: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(coalesce(${sum}, 0) * 100)::bigint`;
}
