import { sql } from "kysely";
import { type Db, inCents } from "#app/platform/db.server.ts";
import type { TransactionType } from "#app/platform/schema.ts";

export interface Entry {
  seq: number;
  at: Date;
  type: TransactionType;
  note: string | null;
  amountCents: number;
  balanceCents: number;
  /** When the credits it granted expire; null if never, or if it granted none. */
  expiresAt: Date | null;
  /** Of the payment whose credits it granted. */
  receipt: { paymentId: string; year: number; number: number } | null;
  game: { id: string; venueName: string; date: string; startTime: string } | null;
}

export async function listEntries(
  db: Db,
  {
    userId,
    before = Number.MAX_SAFE_INTEGER,
    limit,
  }: { userId: string; before?: number | undefined; limit: number },
): Promise<Entry[]> {
  // The limit is written out: with a parameter the planner expects so many rows that it reads all
  // bookings. Not materialized, the sum may be computed again for every row of the page.
  const most = sql.lit(limit);
  const own = sql`user_id = ${userId} and status = 'completed'`;
  const { rows } = await sql<Entry>`
    with page as (
      select id, seq, created_at, type, notes, amount_eur, booking_id from wallet_transactions
      where ${own} and seq < ${before} order by seq desc limit ${most}
    ),
    earlier as materialized (
      select coalesce(sum(amount_eur), 0) as balance from wallet_transactions
      where ${own} and seq < (select min(seq) from page)
    )
    select page.seq, page.created_at as at, page.type, page.notes as note,
      ${inCents("page.amount_eur")} as "amountCents",
      ${inCents(sql`earlier.balance + sum(page.amount_eur) over (order by page.seq)`)}
        as "balanceCents",
      (select max(expires_at) from credit_lots where transaction_id = page.id) as "expiresAt",
      case when page.type = 'topup' then (
        select json_build_object('paymentId', payments.id, 'year', receipt_year,
          'number', receipt_number)
        from credit_lots join payments on payments.id = payment_id
        where transaction_id = page.id limit 1
      ) end as receipt,
      case when games.id is not null then
        json_build_object('id', games.id, 'venueName', venues.name, 'date', games.date,
          'startTime', games.start_time)
      end as game
    from page cross join earlier
    left join bookings on bookings.id = page.booking_id
    left join games on games.id = bookings.game_id
    left join venues on venues.id = games.venue_id
    order by page.seq desc`.execute(db);
  return rows;
}
