import { sql } from "kysely";
import { type Db, inCents } from "#app/platform/db.server.ts";
import { type Span, spanRows, weeksSince } from "#app/platform/date-ranges.server.ts";
import { countWeeks, type WeeklyMetric } from "#app/platform/weekly-metrics.server.ts";

interface ReportQuery {
  weeks: Span[];
  now: Date;
}

export type IncomeWeek = Record<"payments" | "paidCents" | "returnedCents", number>;

/** Null before the first payment. */
export function sumIncome(db: Db, { weeks, now }: ReportQuery) {
  const hasAny = sql`${INCOME.first} is not null`;
  return countWeeks<IncomeWeek>(db, INCOME, { spans: spanRows(weeks, now), hasAny, now });
}

// The same rule as isMoneyGone; an inquiry moves no money.
const takenByBank = sql`(
  select coalesce(sum(disputes.amount_eur), 0) from disputes
  where disputes.payment_id = payments.id
    and status not in ('won', 'prevented') and not starts_with(status, 'warning_'))`;

export const INCOME: WeeklyMetric = {
  name: "income",
  source: "payments",
  first: sql`(select min(created_at) from payments)`,
  counted: sql`
    select count(*) as payments, ${inCents(sql`sum(amount_eur)`)} as "paidCents",
      ${inCents(sql`sum(least(amount_eur, refunded_eur + ${takenByBank}))`)} as "returnedCents"
    from payments where created_at >= span.starts and created_at < span.ends`,
};

type Moved = Record<"addedCents" | "goneCents", number>;

export type CreditsWeek = Moved & { outstandingCents: number };

/** What came and went since the first entry. Null before that. */
export async function sumCredits(
  db: Db,
  { weeks, now }: ReportQuery,
): Promise<{ totalCents: number; weeks: CreditsWeek[] } | null> {
  const spans = weeksSince(MOVED_CREDITS.first, now, weeks[0]!.from);
  const hasAny = sql`${MOVED_CREDITS.first} is not null`;
  const rows = await countWeeks<Moved>(db, MOVED_CREDITS, { spans, hasAny, now });
  if (!rows) return null;
  let totalCents = 0;
  const all = rows.map(({ addedCents, goneCents }) => {
    totalCents += addedCents - goneCents;
    return { addedCents, goneCents, outstandingCents: totalCents };
  });
  return { totalCents, weeks: all.slice(-weeks.length) };
}

/** The balances add up to the completed entries, which `checkBooks` proves. */
export const MOVED_CREDITS: WeeklyMetric = {
  name: "credits",
  source: "wallet_transactions",
  first: sql`(select min(created_at) from wallet_transactions where status = 'completed')`,
  counted: sql`
    select ${inCents(sql`sum(amount_eur) filter (where amount_eur > 0)`)} as "addedCents",
      ${inCents(sql`-sum(amount_eur) filter (where amount_eur < 0)`)} as "goneCents"
    from wallet_transactions
    where status = 'completed' and created_at >= span.starts and created_at < span.ends`,
};

export async function sumPayments(db: Db, since: Date): Promise<{ count: number; cents: number }> {
  const sum = inCents(sql`sum(amount_eur)`).as("cents");
  return db
    .selectFrom("payments")
    .select(({ fn }) => [fn.countAll<number>().as("count"), sum])
    .where("created_at", ">=", since)
    .where("user_id", "is not", null)
    .executeTakeFirstOrThrow();
}
