import { sql } from "kysely";
import { type Db, inCents } from "#app/platform/db.server.ts";
import { countInSpans, type Span } from "#app/platform/date-ranges.server.ts";

interface ReportQuery {
  weeks: Span[];
  now: Date;
}

export type IncomeWeek = Record<"payments" | "paidCents" | "returnedCents", number>;

/** Null before the first payment. */
export function sumIncome(db: Db, { weeks, now }: ReportQuery) {
  const counted = sql`
    select count(*) as payments, ${inCents(sql`sum(amount_eur)`)} as "paidCents",
      ${inCents(sql`sum(least(amount_eur, refunded_eur + ${takenByBank}))`)} as "returnedCents"
    from payments where created_at >= span.starts and created_at < span.ends`;
  const hasAny = sql`(select min(created_at) from payments) is not null`;
  return countInSpans<IncomeWeek>(db, { spans: weeks, now }, { counted, hasAny });
}

// The same rule as isMoneyGone; an inquiry moves no money.
const takenByBank = sql`(
  select coalesce(sum(disputes.amount_eur), 0) from disputes
  where disputes.payment_id = payments.id
    and status not in ('won', 'prevented') and not starts_with(status, 'warning_'))`;

type Moved = Record<"addedCents" | "goneCents", number>;

export type CreditsWeek = Moved & { outstandingCents: number };

/** Computed back from the current total of all wallets. Null before the first entry. */
export async function sumCredits(
  db: Db,
  { weeks, now }: ReportQuery,
): Promise<{ totalCents: number; weeks: CreditsWeek[] } | null> {
  const counted = sql`
    select ${inCents(sql`sum(amount_eur) filter (where amount_eur > 0)`)} as "addedCents",
      ${inCents(sql`-sum(amount_eur) filter (where amount_eur < 0)`)} as "goneCents",
      (select ${inCents(sql`sum(wallet_balance_eur)`)} from profiles) as "totalCents"
    from wallet_transactions
    where status = 'completed' and created_at >= span.starts and created_at < span.ends`;
  const hasAny = sql`(
    select min(created_at) from wallet_transactions where status = 'completed') is not null`;
  const query = { counted, hasAny };
  type Row = Moved & { totalCents: number };
  const rows = await countInSpans<Row>(db, { spans: weeks, now }, query);
  if (!rows?.[0]) return null;
  const { totalCents } = rows[0];
  let outstandingCents = totalCents;
  const backwards = rows.toReversed().map(({ addedCents, goneCents }) => {
    const ended = { addedCents, goneCents, outstandingCents };
    outstandingCents -= addedCents - goneCents;
    return ended;
  });
  return { totalCents, weeks: backwards.toReversed() };
}

export async function sumPayments(db: Db, since: Date): Promise<{ count: number; cents: number }> {
  const sum = inCents(sql`sum(amount_eur)`).as("cents");
  return db
    .selectFrom("payments")
    .select(({ fn }) => [fn.countAll<number>().as("count"), sum])
    .where("created_at", ">=", since)
    .executeTakeFirstOrThrow();
}
