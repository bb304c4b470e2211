import type pg from "pg";
import { hashToken, newToken } from "#app/platform/secrets.server.ts";
import { connect, type Connection } from "#app/platform/connect.server.ts";
import { readEnv } from "#app/platform/env.server.ts";
import { signInCookie } from "#app/routes/cookies.server.ts";

/** Ids by number, the same in SQL and here: a kind and the number in hexadecimal. */
export type Kind = "a" | "b" | "c";
export const idOf = (kind: Kind, number: number) =>
  `${kind}0000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
export const sqlIdOf = (kind: Kind, number: string) =>
  `('${kind}0000000-0000-4000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
export const PLAYER = "a";
export const GAME = "b";
export const BOOKING = "c";

export interface Scenario extends Connection {
  dataDir: string;
  /** Signed-in players with credits to spend; player n has cookie n. */
  cookies: string[];
}

/** Attaches to the database of the app under test. */
export async function openScenario(dataDir: string, players = 12_000): Promise<Scenario> {
  const connection = await connect({ databaseUrl: undefined, dataDir });
  await addPlayers(connection.pool, 0, players);
  return { ...connection, dataDir, cookies: await signIn(connection.pool, dataDir, players) };
}

/** Players from a number on, each with a million credits that the ledger knows of. */
export async function addPlayers(pool: pg.Pool, from: number, count: number): Promise<void> {
  const id = sqlIdOf(PLAYER, "n");
  const range = `generate_series(${from}, ${from + count - 1}) n`;
  await pool.query(`
    with u as (
      insert into users (id, name, email, email_verified)
      select ${id}, 'Player ' || n, 'player' || n || '@bench.example', true from ${range}
    ), p as (
      insert into profiles (user_id, first_name, last_name, date_of_birth, email, school_year,
        major, wallet_balance_eur)
      select ${id}, 'Player', 'No ' || n, '2000-01-01', 'player' || n || '@bench.example',
        'Bachelor', 'Physics', 1000000 from ${range}
    )
    insert into wallet_transactions (user_id, type, amount_eur)
    select ${id}, 'topup', 1000000 from ${range}`);
}

async function signIn(pool: pg.Pool, dataDir: string, count: number): Promise<string[]> {
  const env = readEnv({ DEMO: "1", DATA_DIR: dataDir });
  const expiresAt = new Date(Date.now() + 24 * 3_600_000);
  const sessions = Array.from({ length: count }, () => ({ token: newToken(), expiresAt }));
  await pool.query(
    `insert into sessions (user_id, token, expires_at)
     select ${sqlIdOf(PLAYER, "n::int - 1")}, token, $2 from unnest($1::text[])
       with ordinality as list (token, n)`,
    [sessions.map(({ token }) => hashToken(token)), expiresAt],
  );
  const cookies = await Promise.all(sessions.map((session) => signInCookie(env, session)));
  return cookies.map((cookie) => cookie.split(";")[0]!);
}

interface Games {
  from: number;
  count: number;
  seats: number;
}

/** Published games of the next fortnight, spread over the venues, and no others to come. */
export async function stageGames(pool: pg.Pool, { from, count, seats }: Games): Promise<void> {
  await pool.query(`update games set status = 'Draft' where status = 'Published'
    and starts_at > now()`);
  await pool.query(`
    insert into games (id, title, date, start_time, end_time, status, max_players, venue_id)
    select ${sqlIdOf(GAME, "n")}, 'Indoor futsal', current_date + 1 + n % 14, '18:00', '19:30',
      'Published', ${seats}, (select id from venues order by name limit 1 offset n % 7)
    from generate_series(${from}, ${from + count - 1}) n`);
}
