import { sql } from "kysely";
import type { Db } from "../../platform/db.server.ts";

export interface Books {
  wallets: number;
  balanceEur: string;
  entries: number;
  games: number;
  seats: number;
  /** A line for each wallet or game that differs; empty when the books are right. */
  differences: string[];
}

/**
 * Proves that every wallet equals the sum of its completed entries, and that every game's seats
 * equal its live bookings and fit its capacity. Reads one snapshot, so it may run at any time.
 */
export async function checkBooks(db: Db): Promise<Books> {
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (tx) => {
      const totals = await sql<Omit<Books, "differences">>`
        select (select count(*) from profiles) as wallets,
          (select coalesce(sum(wallet_balance_eur), 0)::text from profiles) as "balanceEur",
          (select count(*) from wallet_transactions) as entries,
          (select count(*) from games) as games,
          (select count(*) from bookings where payment_status in ('Paid', 'Unpaid')) as seats`.execute(
        tx,
      );
      const wallets = await sql<{ line: string }>`
        select format('wallet %s: balance %s, ledger %s', p.user_id, p.wallet_balance_eur,
          coalesce(l.total, 0)) as line
        from profiles p
        left join (select user_id, sum(amount_eur) as total from wallet_transactions
          where status = 'completed' group by user_id) l using (user_id)
        where p.wallet_balance_eur <> coalesce(l.total, 0) order by p.user_id`.execute(tx);
      const games = await sql<{ line: string }>`
        select format('game %s: %s live bookings, %s seats counted, capacity %s', g.id,
          coalesce(b.live, 0), g.seats_taken, g.max_players) as line
        from games g
        left join (select game_id, count(*) as live from bookings
          where payment_status in ('Paid', 'Unpaid') group by game_id) b on b.game_id = g.id
        where coalesce(b.live, 0) <> g.seats_taken or coalesce(b.live, 0) > g.max_players
        order by g.id`.execute(tx);
      const differences = [...wallets.rows, ...games.rows].map((row) => row.line);
      return { ...totals.rows[0]!, differences };
    });
}
