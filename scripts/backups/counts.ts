import type pg from "pg";
import type { Counts } from "./manifest.ts";

type Client = Pick<pg.Client, "query">;

export async function checkMigrated(client: Client): Promise<void> {
  const { rows } = await client.query<{ isMigrated: boolean }>(
    `select to_regclass('public.schema_migrations') is not null as "isMigrated"`,
  );
  if (rows[0]!.isMigrated) return;
  throw new Error("This database is empty: nothing was ever migrated here");
}

/** What a copy is compared by, in the transaction of the client. */
export async function readCounts(client: Client): Promise<Counts> {
  const { rows: tables } = await client.query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname`);
  const rows: Record<string, number> = {};
  for (const { name } of tables) {
    const counted = await client.query<{ count: number }>(`select count(*)::int from "${name}"`);
    rows[name] = counted.rows[0]!.count;
  }
  const { rows: others } = await client.query<{ schema: string; credits: string }>(`
    select (select max(name) from schema_migrations) as schema,
      (select coalesce(sum(wallet_balance_eur), 0)::text from profiles) as credits`);
  return { ...others[0]!, rows };
}

/** A line for each difference. */
export function compareCounts(before: Counts, after: Counts): string[] {
  const names = Object.keys({ ...before.rows, ...after.rows });
  const differ = names.filter((name) => before.rows[name] !== after.rows[name]);
  const lines = differ.map(
    (name) =>
      `${name}: ${before.rows[name] ?? "no"} rows in the backup, ${after.rows[name] ?? "no"} restored`,
  );
  if (before.credits === after.credits) return lines;
  return [...lines, `credits: ${before.credits} in the backup, ${after.credits} restored`];
}

export function countRows({ rows }: Counts): number {
  return Object.values(rows).reduce((sum, count) => sum + count, 0);
}
