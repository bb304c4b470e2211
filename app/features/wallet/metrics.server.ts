import { type RawBuilder, sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { centsFromNumeric } from "#app/platform/money.ts";
import { type Span, spanRows } from "#app/platform/date-ranges.server.ts";

interface ReportQuery {
  weeks: Span[];
  now: Date;
}

export interface IncomeWeek {
  payments: number;
  paidCents: number;
  returnedCents: number;
}

export async function sumIncome(db: Db, { weeks, now }: ReportQuery): Promise<IncomeWeek[] | null> {
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

// The same rule as isMoneyGone; an inquiry moves no money.
const takenByBank = sql`(
  select coalesce(sum(disputes.amount_eur), 0) from disputes
  where disputes.payment_id = payments.id
    and status not in ('won', 'prevented') and not starts_with(status, 'warning_'))`;

interface Moved {
  addedCents: number;
  goneCents: number;
}

export interface CreditsWeek extends Moved {
  outstandingCents: number;
}

/** Reckoned back from what all wallets hold now. Null before the first entry ever. */
export async function sumCredits(
  db: Db,
  { weeks, now }: ReportQuery,
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

function inCents(sum: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(coalesce(${sum}, 0) * 100)::bigint`;
}

export async function sumPayments(db: Db, since: Date): Promise<{ count: number; cents: number }> {
  const { count, sum } = await db
    .selectFrom("payments")
    .select(({ fn }) => [
      fn.countAll<number>().as("count"),
      fn.sum<string | null>("amount_eur").as("sum"),
    ])
    .where("created_at", ">=", since)
    .executeTakeFirstOrThrow();
  return { count, cents: centsFromNumeric(sum ?? "0") };
}
