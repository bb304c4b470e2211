import type { Socket } from "node:net";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Db } from "#app/platform/db.server.ts";
import type { BoundedPool } from "#app/platform/postgres/bounded-pool.server.ts";
import { withKnownOutcomes } from "#app/platform/postgres/commit-outcome.server.ts";
import type { Schema } from "#app/platform/schema.ts";
import { NOW } from "./fixtures.ts";
import { isLong } from "./long.ts";

export interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

/** The statements of some kinds that a read or write sends, as they are sent. */
export async function statementsSent(
  pool: pg.Pool,
  read: (db: Db) => Promise<unknown>,
  kinds = /^\s*(select|with)/,
) {
  const statements: Statement[] = [];
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void statements.push(query),
  });
  await read(db);
  return statements.filter(({ sql }) => kinds.test(sql));
}

/** How often a piece of work waits for the database: what is sent together is one round trip. */
export async function roundTrips(pool: pg.Pool, work: (db: Db) => Promise<unknown>) {
  let trips = 0;
  const connect = async () => {
    const client = await pool.connect();
    const stream = client.connection.stream as Socket;
    let sent = stream.bytesWritten;
    const count = () => {
      if (stream.bytesWritten > sent) trips += 1;
      sent = stream.bytesWritten;
    };
    // Before the driver reads the reply, and then sends what comes next.
    stream.prependListener("data", count);
    const release = (isBroken?: boolean) => {
      stream.off("data", count);
      client.release(isBroken);
    };
    return { query: client.query.bind(client), release };
  };
  const { options, limitsOfTransaction } = pool as BoundedPool;
  const counted = { options, limitsOfTransaction, connect } as unknown as BoundedPool;
  const dialect = new PostgresDialect({ pool: withKnownOutcomes(counted) });
  await work(new Kysely<Schema>({ dialect }));
  return trips;
}

/** The tables of these that a statement reads from end to end. */
export async function scannedTables(pool: pg.Pool, statement: Statement, tables: string[]) {
  const plan = await planOf(pool, statement, "format json");
  const scanned = plan.filter((node) => node["Node Type"] === "Seq Scan");
  return scanned
    .map((node) => node["Relation Name"] ?? "")
    .filter((table) => tables.includes(table));
}

/** How many rows of these tables a statement looks at, those that it throws away among them. */
export async function rowsRead(pool: pg.Pool, statement: Statement, ...tables: string[]) {
  const plan = await planOf(pool, statement, "analyze, format json");
  const read = plan.filter((node) => tables.includes(node["Relation Name"] ?? ""));
  const rows = read.map(
    (node) => node["Actual Loops"] * (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)),
  );
  return rows.reduce((sum, each) => sum + each, 0);
}

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  /** Rows of one loop, where the statement was run; none where this part of it never was. */
  "Actual Rows": number;
  "Rows Removed by Filter"?: number;
  "Actual Loops": number;
  Plans?: Plan[];
}
const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];

/** The plan of a statement that this connection has prepared and run often, as in production. */
async function planOf(pool: pg.Pool, { sql, parameters }: Statement, how: string): Promise<Plan[]> {
  const client = await pool.connect();
  try {
    // Rolled back with its connection: a writing statement is executed too.
    await client.query("begin");
    await client.query(`prepare read as ${sql}`);
    const literals = parameters.map((value) =>
      value === null ? "null" : pg.escapeLiteral(textOf(value)),
    );
    const execute = `execute read${literals.length > 0 ? `(${literals.join(", ")})` : ""}`;
    for (let turn = 0; turn < 7; turn += 1) await client.query(execute);
    const { rows } = await client.query(`explain (${how}) ${execute}`);
    return nodes(rows[0]["QUERY PLAN"][0].Plan);
  } finally {
    client.release(true);
  }
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  // Elements may be JSON, which is quoted as arrays are.
  const quoted = (one: unknown) => (one === null ? "null" : JSON.stringify(String(one)));
  return Array.isArray(value) ? `{${value.map(quoted).join()}}` : String(value);
}

/** LONG=1 has four times as many; the plans are the same. */
export const EACH = isLong ? 10_000 : 2_500;

/** Token of the first player's shared card. */
export const SHARED_TOKEN = "a".repeat(22);

/** Players with a profile each; their ids. */
export async function addManyPlayers(pool: pg.Pool, count = EACH): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `with added as (
       insert into users (name, email) select 'Player', n || '@uni.example'
       from generate_series(1, $1::int) n returning id, email
     )
     insert into profiles (user_id, email, first_name, last_name, date_of_birth, school_year, major)
     select id, email, 'A', 'Player', '2001-05-17', 'Master', 'Physics' from added
     returning user_id as id`,
    [count],
  );
  return rows.map(({ id }) => id);
}

/**
 * For plans of queries: so many each of payments, intentions to join by them, subscriptions, events, tickets, reviews, months of
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
  await add(
    `insert into pending_payments (session_id, user_id, pack_id, amount_eur, status, created_at, ended_at)
     select 'cs_' || n, ${player}, ${pack}, 9.99, 'Paid', ${at}, ${at}`,
  );
  await add(
    `insert into payment_holds
       (game_id, user_id, holds_spot, shown, session_id, status, created_at, expires_at, ended_at)
     select (select id from games offset n % (select count(*) from games) limit 1), ${player}, true, '{}', 'cs_' || n, 'Booked',
       ${at}, ${at}, ${at}`,
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
    `insert into audit_log (actor, action, subject, created_at, details)
     select case n % 9 when 0 then 'command' else ${player}::text end,
       case n % 20 when 0 then 'game.cancel' else 'action.' || n % 20 end,
       ${player}, ${at}, jsonb_build_object('formKey', md5((n / 40)::text))`,
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
