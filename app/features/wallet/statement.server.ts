import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { centsFromNumeric } from "#app/platform/money.ts";
import type { TransactionType } from "#app/platform/schema.ts";

export interface Entry {
  seq: number;
  at: Date;
  type: TransactionType;
  note: string | null;
  amountCents: number;
  balanceCents: number;
  /** Until when the credits that it granted can be spent; null never expires or granted none. */
  expiresAt: Date | null;
  game: { id: string; title: string; date: string } | null;
}

interface Row extends Pick<Entry, "seq" | "at" | "type" | "note" | "expiresAt"> {
  amount: string;
  balance: string;
  gameId: string | null;
  title: string;
  date: string;
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
  const { rows } = await sql<Row>`
    with page as (
      select id, seq, created_at, type, notes, amount_eur, booking_id from wallet_transactions
      where ${own} and seq < ${before} order by seq desc limit ${most}
    ),
    earlier as materialized (
      select coalesce(sum(amount_eur), 0) as balance from wallet_transactions
      where ${own} and seq < (select min(seq) from page)
    )
    select page.seq, page.created_at as at, page.type, page.notes as note,
      page.amount_eur as amount,
      earlier.balance + sum(page.amount_eur) over (order by page.seq) as balance,
      (select max(expires_at) from credit_lots where transaction_id = page.id) as "expiresAt",
      games.id as "gameId", games.title, games.date
    from page cross join earlier
    left join bookings on bookings.id = page.booking_id
    left join games on games.id = bookings.game_id
    order by page.seq desc`.execute(db);
  return rows.map(toEntry);
}

function toEntry({ amount, balance, gameId, title, date, ...entry }: Row): Entry {
  return {
    ...entry,
    amountCents: centsFromNumeric(amount),
    balanceCents: centsFromNumeric(balance),
    game: gameId ? { id: gameId, title, date } : null,
  };
}
