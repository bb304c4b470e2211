import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";

/** The tables of ours in which one of these texts stands somewhere, each with the text. */
export async function tracesOf(db: Db, ...texts: string[]): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db);
  const found: string[] = [];
  for (const { name } of tables) {
    for (const text of texts) {
      const { rows } = await sql`select from ${sql.table(name)} t
        where strpos(lower(t::text), lower(${text})) > 0`.execute(db);
      if (rows.length > 0) found.push(`${name}: ${text}`);
    }
  }
  return found;
}
