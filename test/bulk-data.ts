import type pg from "pg";
import { NOW } from "./fixtures.ts";

const EACH = 10_000;

/** Token of the first player's shared card. */
export const SHARED_TOKEN = "a".repeat(22);

/**
 * For plans of queries: 10,000 each of payments, subscriptions, events, letters, reviews, months of
 * the challenge and sessions, an hour apart back from NOW, and a card for each of the players.
 */
export async function addManyPapers(pool: pg.Pool, players: string[]): Promise<void> {
  const player = "($1::uuid[])[1 + n % cardinality($1::uuid[])]";
  const at = `timestamptz '${NOW.toISOString()}' - n * interval '1 hour'`;
  const add = (insert: string) =>
    pool.query(`${insert} from generate_series(1, ${EACH}) n, (select $1::uuid[]) players`, [
      players,
    ]);
  const { rows } = await pool.query<{ id: string }>(
    `insert into credit_packs (pack_key, pack_name, price_eur, total_credit_eur)
     values ('one', 'One', 9.99, 10) returning id`,
  );
  const pack = `'${rows[0]!.id}'::uuid`;
  await add(
    `insert into payments (stripe_object_id, user_id, pack_id, amount_eur, credits_eur,
       subscription_id, created_at)
     select 'cs_' || n, ${player}, ${pack}, 9.99, 10, 'sub_' || n, ${at}`,
  );
  await add(`insert into stripe_customers select 'cus_' || n, ${player}, ${at}`);
  await add(
    `insert into subscriptions (id, customer_id, status, pack_id, state_at)
     select 'sub_' || n, 'cus_' || n, 'canceled', ${pack}, ${at}`,
  );
  await add(
    `insert into stripe_events (id, type, object_id, user_id, created_at, status)
     select 'evt_' || n, 'checkout.session.completed', 'cs_' || n, ${player}, ${at}, 'applied'`,
  );
  await add(
    `insert into support_messages (user_id, subject, message, created_at)
     select ${player}, 'Shoes', 'Lost', ${at}`,
  );
  await add(`insert into reviews (user_id, rating, created_at) select ${player}, 5, ${at}`);
  await add(
    `insert into audit_log (actor, action, subject, created_at)
     select case n % 9 when 0 then 'command' else ${player}::text end, 'action.' || n % 20,
       ${player}, ${at}`,
  );
  await pool.query(
    `insert into letter_answers (id, message_id, answer, answered_by, answered_at)
     select gen_random_uuid(), id, 'Found', user_id, created_at from support_messages`,
  );
  await add(
    `insert into monthly_game_progress (user_id, month_year)
     select ${player}, (2000 + n / cardinality($1::uuid[])) || '-01'`,
  );
  await pool.query("insert into legal_pages values ('terms', 'Terms', 'Be kind.')");
  await add(
    `insert into legal_page_versions select 'terms', n, 'Terms', 'Be kind.', ${player}, ${at}`,
  );
  await add(
    `insert into sessions (user_id, token, expires_at)
     select ${player}, 'session-' || n, ${at} + interval '5 years'`,
  );
  await pool.query(
    `insert into withdrawals (user_id, payment_id, credits_eur, amount_eur, stated_at)
     select user_id, id, 10, 9.99, created_at from payments`,
  );
  await pool.query(
    `insert into shared_cards (user_id, token)
     select id, case n when 1 then '${SHARED_TOKEN}' else lpad(n::text, 22, 'x') end
     from unnest($1::uuid[]) with ordinality player (id, n)`,
    [players],
  );
}
