import { utimes } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import { stopAllAnnouncements } from "#app/features/announcements/announcements.server.ts";
import { endAllSessions } from "#app/features/accounts/sessions.server.ts";
import type { Connection } from "#app/platform/connect.server.ts";
import type { Tx } from "#app/platform/db.server.ts";
import { putMailsAside } from "#app/platform/waiting-mails.server.ts";
import { listFiles } from "./manifest.ts";
import type { Place } from "./store.ts";

export interface Settled {
  mailsAside: number;
  /** Passwords and factors stay as in the database from before, not as in the backup. */
  isAccessKept: boolean;
}

/** What was done since the time of the backup is not done again, and what was ended stays ended. */
export async function settle({ db }: Connection, former: Connection | null): Promise<Settled> {
  const access = former && (await readAccess(former));
  return db.transaction().execute(async (tx) => {
    if (access) await keepAccess(tx, access);
    await endAllSessions(tx);
    await stopAllAnnouncements(tx);
    return { mailsAside: await putMailsAside(tx), isAccessKept: access !== null };
  });
}

/** Where a player has no row in the database from before, there is to be none. */
const OF_ONE_PLAYER = [
  "second_factors",
  "recovery_codes",
  "user_roles",
  "calendar_feeds",
  "shared_cards",
] as const;
const TABLES = ["users", "accounts", ...OF_ONE_PLAYER] as const;

type Access = Record<(typeof TABLES)[number], string>;

/** Reads PostgreSQL's JSON, which keeps its times exactly. Null without accounts. */
async function readAccess({ db, pool }: Connection): Promise<Access | null> {
  if (!(await hasAccounts(pool))) return null;
  const access: Partial<Access> = {};
  for (const table of TABLES) {
    const all = sql<{ rows: string }>`
      select coalesce(json_agg(one), '[]')::text as rows from ${sql.table(table)} one`;
    access[table] = (await all.execute(db)).rows[0]!.rows;
  }
  return access.users === "[]" ? null : (access as Access);
}

/**
 * A password that was changed, a second factor that was removed and a role that was taken away since
 * the backup would be valid again. A database that was restored may be older than the backup, so
 * the later of two passwords is kept.
 */
async function keepAccess(tx: Tx, access: Access): Promise<void> {
  const former = (table: keyof Access) =>
    sql`json_populate_recordset(null::${sql.table(table)}, ${access[table]}::json) former`;
  await sql`update users set suspended_at = former.suspended_at,
      suspended_reason = former.suspended_reason
    from ${former("users")} where former.id = users.id`.execute(tx);
  await sql`update accounts set password = former.password, updated_at = former.updated_at
    from ${former("accounts")} where former.user_id = accounts.user_id
      and former.provider_id = accounts.provider_id
      and former.updated_at > accounts.updated_at`.execute(tx);
  for (const table of OF_ONE_PLAYER) {
    await sql`delete from ${sql.table(table)}
      where user_id in (select id from ${former("users")})`.execute(tx);
    await sql`insert into ${sql.table(table)} select former.* from ${former(table)}
      join profiles on profiles.user_id = former.user_id and deleted_at is null`.execute(tx);
  }
}

export async function hasAccounts(pool: Connection["pool"]): Promise<boolean> {
  const { rows } = await pool.query("select 1 where to_regclass('public.profiles') is not null");
  return rows.length > 0;
}

export async function countAccounts(pool: Connection["pool"]): Promise<number> {
  if (!(await hasAccounts(pool))) return 0;
  const { rows } = await pool.query<{ count: number }>("select count(*)::int from users");
  return rows[0]!.count;
}

/** What only the database from before names is swept a day from now, whatever its age. */
export async function touchUploads({ dataDir }: Place, now: Date) {
  const folder = path.join(dataDir, "uploads");
  for (const name of await listFiles(folder)) await utimes(path.join(folder, name), now, now);
}
