import { sql } from "kysely";
import type { Db } from "../../platform/db.server.ts";

export interface Books {
  wallets: number;
  balanceEur: string;
  entries: number;
  games: number;
  seats: number;
  /** A line for each wallet, booking or game that differs; empty when the books are right. */
  differences: string[];
}

/**
 * Proves that every wallet equals the sum of its completed entries and that of its open lots, every
 * lot its movements, every payment what was booked for it, every debt what payments are owed, that
 * no booking gave back more than it took, and that every game's seats equal its live bookings and fit
 * its capacity. Reads one snapshot, so it may run at any time.
 */
export async function checkBooks(db: Db): Promise<Books> {
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (tx) => {
      const totals = await TOTALS.execute(tx);
      const differences: string[] = [];
      for (const check of [WALLETS, LOTS, PAYMENTS, DEBTS, BOOKINGS, GAMES]) {
        const { rows } = await check.execute(tx);
        differences.push(...rows.map(({ line }) => line));
      }
      return { ...totals.rows[0]!, differences };
    });
}

const TOTALS = sql<Omit<Books, "differences">>`
  select (select count(*) from profiles) as wallets,
    (select coalesce(sum(wallet_balance_eur), 0)::text from profiles) as "balanceEur",
    (select count(*) from wallet_transactions) as entries,
    (select count(*) from games) as games,
    (select count(*) from bookings where payment_status in ('Paid', 'Unpaid')) as seats`;

interface Difference {
  line: string;
}

const WALLETS = sql<Difference>`
  select format('wallet %s: balance %s, ledger %s, lots %s', p.user_id, p.wallet_balance_eur,
    coalesce(l.total, 0), coalesce(o.total, 0)) as line
  from profiles p
  left join (select user_id, sum(amount_eur) as total from wallet_transactions
    where status = 'completed' group by user_id) l using (user_id)
  left join (select user_id, sum(remaining_eur) as total from credit_lots
    where remaining_eur > 0 group by user_id) o using (user_id)
  where p.wallet_balance_eur <> coalesce(l.total, 0)
    or p.wallet_balance_eur <> coalesce(o.total, 0) order by p.user_id`;

const LOTS = sql<Difference>`
  select format('lot %s: granted %s, moved %s, remaining %s', lot.id, granted_eur,
    coalesce(e.total, 0), remaining_eur) as line
  from credit_lots lot
  left join (select lot_id, sum(amount_eur) as total from lot_entries group by lot_id) e
    on e.lot_id = lot.id
  where granted_eur + coalesce(e.total, 0) <> remaining_eur order by lot.seq`;

const PAYMENTS = sql<Difference>`
  select format('payment %s: credits %s, booked %s', stripe_object_id, credits_eur,
    coalesce(e.amount_eur, 0)) as line
  from payments p
  left join wallet_transactions e on e.business_key = 'payment:' || p.stripe_object_id
    and e.user_id = p.user_id and e.type = 'topup'
  where p.credits_eur <> coalesce(e.amount_eur, 0) order by p.created_at`;

const DEBTS = sql<Difference>`
  select format('debt %s: owed %s, by payments %s', p.user_id, p.wallet_debt_eur,
    coalesce(o.total, 0)) as line
  from profiles p
  left join (select user_id, sum(owed_eur) as total from payments group by user_id) o
    using (user_id)
  where p.wallet_debt_eur <> coalesce(o.total, 0) order by p.user_id`;

// What is not paid in credits, such as a seat that an organiser gave, took none.
const BOOKINGS = sql<Difference>`
  select format('booking %s: took %s, gave back %s', booking_id,
    coalesce(-sum(amount_eur) filter (where amount_eur < 0), 0),
    sum(amount_eur) filter (where amount_eur > 0)) as line
  from wallet_transactions where booking_id is not null and status = 'completed'
  group by booking_id having sum(amount_eur) > 0 order by booking_id`;

const GAMES = sql<Difference>`
  select format('game %s: %s live bookings, %s seats counted, capacity %s', g.id,
    coalesce(b.live, 0), g.seats_taken, g.max_players) as line
  from games g
  left join (select game_id, count(*) as live from bookings
    where payment_status in ('Paid', 'Unpaid') group by game_id) b on b.game_id = g.id
  where coalesce(b.live, 0) <> g.seats_taken or coalesce(b.live, 0) > g.max_players
  order by g.id`;
