import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { centsFromNumeric, euros } from "#app/platform/money.ts";
import { listWrongWeeks } from "#app/platform/weekly-metrics.server.ts";
import { WEEKLY_METRICS } from "./metrics.server.ts";
import { IS_LIVE } from "#app/features/games/held-spots.server.ts";

type Totals = Record<"wallets" | "entries" | "games" | "seats", number> &
  Record<"balanceEur" | "cashEur", string>;

/** Proves that wallets, bookings and games agree with the ledger. One snapshot: may run any time. */
export async function checkBooks(db: Db): Promise<Totals & { differences: string[] }> {
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (tx) => {
      const totals = await TOTALS.execute(tx);
      const differences: string[] = [];
      for (const check of CHECKS) {
        const { rows } = await check.execute(tx);
        differences.push(...rows.map(({ line }) => line));
      }
      differences.push(...(await listWrongWeeks(tx, WEEKLY_METRICS)));
      return { ...totals.rows[0]!, differences };
    });
}

/** Such as "1 wallet holds 20.00 credits in 1 ledger entry; 2 games have 3 seats taken". */
export function totalsText(totals: Totals): string {
  const { wallets, balanceEur, entries, games, seats, cashEur } = totals;
  const some = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
  const credits = `${balanceEur} ${balanceEur === "1.00" ? "credit" : "credits"}`;
  return (
    `${some(wallets, "wallet holds", "wallets hold")} ${credits} ` +
    `in ${some(entries, "ledger entry", "ledger entries")}; ` +
    `${some(games, "game has", "games have")} ${some(seats, "seat", "seats")} taken; ` +
    `${euros(centsFromNumeric(cashEur))} ${cashEur === "1.00" ? "was" : "were"} paid by hand`
  );
}

const TOTALS = sql<Totals>`
  select (select count(*) from profiles) as wallets,
    (select coalesce(sum(wallet_balance_eur), 0)::text from profiles) as "balanceEur",
    (select count(*) from wallet_transactions) as entries,
    (select coalesce(sum(amount_eur), 0)::text from cash_payments where undone_at is null)
      as "cashEur",
    (select count(*) from games) as games,
    (select count(*) from bookings where ${IS_LIVE}) as seats`;

const WALLETS = sql<{ line: string }>`
  select format('wallet %s: balance %s, ledger %s, lots %s', p.user_id, p.wallet_balance_eur,
    coalesce(l.total, 0), coalesce(o.total, 0)) as line
  from profiles p
  left join (select user_id, sum(amount_eur) as total from wallet_transactions
    where status = 'completed' group by user_id) l using (user_id)
  left join (select user_id, sum(remaining_eur) as total from credit_lots
    where remaining_eur > 0 group by user_id) o using (user_id)
  where p.wallet_balance_eur <> coalesce(l.total, 0)
    or p.wallet_balance_eur <> coalesce(o.total, 0) order by p.user_id`;

const LOTS = sql<{ line: string }>`
  select format('lot %s: granted %s, moved %s, remaining %s', lot.id, granted_eur,
    coalesce(e.total, 0), remaining_eur) as line
  from credit_lots lot
  left join (select lot_id, sum(amount_eur) as total from lot_entries group by lot_id) e
    on e.lot_id = lot.id
  where granted_eur + coalesce(e.total, 0) <> remaining_eur order by lot.seq`;

const PAYMENTS = sql<{ line: string }>`
  select format('payment %s: credits %s, booked %s', stripe_object_id, credits_eur,
    coalesce(e.amount_eur, 0)) as line
  from payments p
  left join wallet_transactions e on e.business_key = p.ledger_key
    and e.user_id = p.user_id and e.type = 'topup'
  where p.user_id is not null and p.credits_eur <> coalesce(e.amount_eur, 0)
  order by p.created_at`;

// What a refund, an open dispute or a withdrawal that waits for its refund takes back: in proportion,
// rounded down, and less only by what had lapsed unspent (reclaimTarget and disputeStage of wallet).
const TAKEN_BACK = sql<{ line: string }>`
  with lapsed as (
    select lot.payment_id, -sum(part.amount_eur) as total
    from credit_lots lot
    join lot_entries part on part.lot_id = lot.id
    join wallet_transactions e on e.id = part.transaction_id
      and (e.type = 'expiry' or starts_with(e.business_key, 'erasure:'))
    group by lot.payment_id
  ), disputed as (
    select payment_id, sum(amount_eur) as total from disputes
    where status not in ('won', 'prevented') and not starts_with(status, 'warning_')
    group by payment_id
  ), returned as (
    select p.*, coalesce(lapsed.total, 0) as lapsed, least(p.amount_eur,
      greatest(refunded_eur, coalesce(refunded_before_eur + w.amount_eur, 0))
        + coalesce(disputed.total, 0)) as back
    from payments p
    left join withdrawals w on w.payment_id = p.id and credits_taken and outcome is null
    left join disputed on disputed.payment_id = p.id
    left join lapsed on lapsed.payment_id = p.id
  ), due as (
    select *, round(floor(credits_eur * back * 100 / amount_eur) / 100, 2) as most from returned
  )
  select format('payment %s: %s taken back, %s due, %s lapsed', stripe_object_id, taken_back_eur,
    most, lapsed) as line
  from due where taken_back_eur > most or taken_back_eur < least(most, credits_eur - lapsed)
  order by created_at`;

const WITHDRAWALS = sql<{ line: string }>`
  select format('withdrawal %s: credits %s, taken %s, given back %s', w.id, credits_eur,
    coalesce(-taken.amount_eur, 0), coalesce(given.amount_eur, 0)) as line
  from withdrawals w
  left join wallet_transactions taken on taken.business_key = 'withdrawal:' || w.id
  left join wallet_transactions given on given.business_key = 'withdrawal-return:' || w.id
  where coalesce(-taken.amount_eur, 0) <> case when credits_taken then credits_eur else 0 end
    or (given.amount_eur is not null and outcome is null) order by w.stated_at`;

// What a deleted account owed, the next account of its address owes.
const DEBTS = sql<{ line: string }>`
  select format('debt %s: owed %s, by payments %s', p.user_id, p.wallet_debt_eur,
    coalesce(o.total, 0)) as line
  from profiles p
  left join (
    select coalesce(f.user_id, payments.user_id) as user_id, sum(owed_eur) as total
    from payments left join former_payers f on f.former_id = payments.user_id group by 1
  ) o using (user_id)
  where p.wallet_debt_eur <> coalesce(o.total, 0) order by p.user_id`;

// No booking gives back more than it took; one not paid in credits took none.
const BOOKINGS = sql<{ line: string }>`
  select format('booking %s: took %s, gave back %s', booking_id,
    coalesce(-sum(amount_eur) filter (where amount_eur < 0), 0),
    sum(amount_eur) filter (where amount_eur > 0)) as line
  from wallet_transactions where booking_id is not null and status = 'completed'
  group by booking_id having sum(amount_eur) > 0 order by booking_id`;

const GAMES = sql<{ line: string }>`
  select format('game %s: %s live bookings, %s seats counted, capacity %s', g.id,
    coalesce(b.live, 0), g.seats_taken, g.max_players) as line
  from games g
  left join (select game_id, count(*) as live from bookings
    where ${IS_LIVE} group by game_id) b on b.game_id = g.id
  where coalesce(b.live, 0) <> g.seats_taken or coalesce(b.live, 0) > g.max_players
  order by g.id`;

// A spot that is offered, or held for a friend or for who pays, is counted beside the seats that are taken.
const HELD_SPOTS = sql<{ line: string }>`
  select format('game %s: %s spots offered, %s held for friends, %s for payers, %s counted as held, %s seats, capacity %s',
    g.id, coalesce(w.offered, 0), coalesce(h.live, 0), coalesce(p.live, 0), g.spots_held, g.seats_taken, g.max_players) as line
  from games g
  left join (select game_id, count(*) as offered from waitlist_entries
    where status = 'Offered' group by game_id) w on w.game_id = g.id
  left join (select game_id, count(*) as live from friend_holds
    where status = 'Held' group by game_id) h on h.game_id = g.id
  left join (select game_id, count(*) as live from payment_holds
    where status = 'Held' and holds_spot group by game_id) p on p.game_id = g.id
  where coalesce(w.offered, 0) + coalesce(h.live, 0) + coalesce(p.live, 0) <> g.spots_held
    or (g.spots_held > 0 and g.seats_taken + g.spots_held > g.max_players)
  order by g.id`;

// A late refund came back once (what was promised or, if called off, the price), or is still open.
const LATE_REFUNDS = sql<{ line: string }>`
  select format('booking %s: %s, %s of %s given back late', b.id, payment_status,
    coalesce(e.total, 0), late_refund_eur) as line
  from bookings b
  left join (select booking_id, sum(amount_eur) as total from wallet_transactions
    where type = 'refund' and status = 'completed' group by booking_id) e on e.booking_id = b.id
  where late_refund_eur is not null and (
    case when e.total is null then 'Cancelled' else 'Refunded' end <> payment_status
    or e.total not in (late_refund_eur, price_eur))
  order by b.id`;

// A promoted player has a booking of that game, by which the place ended.
const PROMOTIONS = sql<{ line: string }>`
  select format('place %s on a waitlist: it ended by booking %s', entry.id, b.id) as line
  from waitlist_entries entry join bookings b on b.id = booking_id
  where (entry.user_id, entry.game_id) <> (b.user_id, b.game_id) order by entry.id`;

// A friend who took a hold has a booking of that game, and is not its holder.
const FRIENDS = sql<{ line: string }>`
  select format('hold %s for a friend: it ended by booking %s', hold.id, b.id) as line
  from friend_holds hold join bookings b on b.id = booking_id
  where hold.game_id <> b.game_id or hold.user_id = b.user_id order by hold.id`;

// Who was booked by a payment has, or had, a booking of that game.
const PAID_SPOTS = sql<{ line: string }>`
  select format('payment hold %s: booked, without a booking', hold.id) as line
  from payment_holds hold where status = 'Booked' and not exists (select from bookings b
    where b.game_id = hold.game_id and b.user_id = hold.user_id) order by hold.id`;

// A payment that was under way has the amount that was granted, for what its player went to pay for.
const PENDING = sql<{ line: string }>`
  select format('payment under way %s: %s of %s, granted %s, for hold %s', pending.session_id,
    pending.status, pending.amount_eur, payments.amount_eur, hold.id) as line
  from pending_payments pending left join payments on stripe_object_id = pending.session_id
    left join payment_holds hold on hold.id = hold_id
  where payments.amount_eur <> pending.amount_eur or hold.user_id <> pending.user_id
    or (pending.status = 'Failed' and payments.id is not null)
    or (pending.status = 'Paid' and payments.id is null and not exists (
      select from stripe_events where object_id = pending.session_id))
  order by pending.session_id`;

// A seat paid by hand was charged no credits; cash not given back stays with a booking that ended.
const CASH = sql<{ line: string }>`
  select format('cash payment %s: booking %s is %s at %s credits, and took %s', cash.id, b.id,
    payment_status, price_eur, coalesce(-e.total, 0)) as line
  from cash_payments cash join bookings b on b.id = cash.booking_id
  left join (select booking_id, sum(amount_eur) as total from wallet_transactions
    where type = 'deduction' and status = 'completed' group by booking_id) e on e.booking_id = b.id
  where undone_at is null and (payment_status = 'Unpaid' or price_eur > 0 or e.total is not null
    or kept_at is not null and ${IS_LIVE})
  order by cash.id`;

const PAID_BY_HAND = sql<{ line: string }>`
  select format('booking %s: marked paid, without a payment', b.id) as line
  from bookings b where payment_status = 'Paid'
    and exists (select from audit_log
      where action = 'booking.mark-paid' and subject = b.id::text)
    and not exists (select from cash_payments where booking_id = b.id and undone_at is null)
  order by b.id`;

const CHECKS = [
  ...[WALLETS, LOTS, PAYMENTS, TAKEN_BACK, WITHDRAWALS, DEBTS],
  ...[BOOKINGS, GAMES, HELD_SPOTS, LATE_REFUNDS, PROMOTIONS, FRIENDS],
  ...[CASH, PAID_BY_HAND, PAID_SPOTS, PENDING],
];
