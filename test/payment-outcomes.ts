import { sql } from "kysely";
import type { Db, Tx } from "#app/platform/db.server.ts";
import type { Outcome } from "./payment-stories.ts";

/** A line for each thing that must not be once all stories have ended and all events have come. */
export async function outcomeDifferences(db: Db | Tx, outcomes: Outcome[]): Promise<string[]> {
  const lines = await Promise.all(
    [OVERSOLD, UNDECIDED, UNNOTIFIED].map((line) => line.execute(db)),
  );
  return [
    ...lines.flatMap(({ rows }) => rows.map(({ line }) => line)),
    ...(await findMoneyLost(db, outcomes)),
  ];
}

interface Line {
  line: string;
}

const OVERSOLD = sql<Line>`
  select format('game %s: oversold', games.id) as line from games
  where max_players < spots_held + (select count(*) from bookings
    where game_id = games.id and payment_status in ('Paid', 'Unpaid'))`;

const UNDECIDED = sql<Line>`
  select format('hold %s: neither booked nor declined', id) as line from payment_holds
  where status in ('Held', 'Lapsed') and (paid_at is not null or status = 'Held' and holds_spot)`;

const UNNOTIFIED = sql<Line>`
  select format('hold %s: %s emails of credits that stay', id, mails) as line
  from payment_holds hold cross join lateral (select count(*) as mails from pgboss.job
    where name = 'mail.send' and data->>'kind' = 'credits-stay'
      and data->>'holdId' = hold.id::text) job
  where mails <> case status when 'Declined' then 1 else 0 end`;

interface Wallet {
  userId: string;
  grants: string[] | null;
  balanceCents: number;
  inCents: number;
  keptCents: number;
}

/** Who has paid is in by it, or has the credits; only who cancels has less, by what the ledger kept. */
async function findMoneyLost(db: Db | Tx, outcomes: Outcome[]): Promise<string[]> {
  const ids = outcomes.map(({ playerId }) => playerId);
  const { rows } = await sql<Wallet>`
    select user_id as "userId", (wallet_balance_eur * 100)::int as "balanceCents",
      (select array_agg(stripe_object_id order by stripe_object_id) from payments
        where payments.user_id = profiles.user_id) as grants,
      coalesce((select sum(price_eur * 100) from bookings
        where bookings.user_id = profiles.user_id and payment_status = 'Paid'), 0)::int as "inCents",
      coalesce((select -sum(amount_eur * 100) from wallet_transactions entry
        join bookings on bookings.id = booking_id
        where entry.user_id = profiles.user_id and payment_status <> 'Paid'), 0)::int as "keptCents"
    from profiles where user_id = any(${ids}::uuid[])`.execute(db);
  const wallets = new Map(rows.map((row) => [row.userId, row]));
  return outcomes.flatMap(({ playerId, paid, givenCents, cancels }) => {
    const { grants, balanceCents, inCents, keptCents } = wallets.get(playerId)!;
    const granted = grants ?? [];
    const dueCents = paid.length * 1_000 + givenCents;
    const hasCents = balanceCents + inCents + (cancels ? keptCents : 0);
    return [
      ...(String(granted) === String(paid.toSorted()) ? [] : [`player ${playerId}: wrong grants`]),
      ...(hasCents === dueCents ? [] : [`player ${playerId}: ${dueCents} due, has ${hasCents}`]),
    ];
  });
}
