import { sql } from "kysely";
import type { Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";

export interface Standing {
  isAdmin: boolean;
  isSuspended: boolean;
}

/** Locks an account and answers how it stands; null where it is deleted or was never there. */
export async function lockStanding(tx: Tx, userId: string): Promise<Standing | null> {
  if (!isId(userId)) return null;
  const user = await tx
    .selectFrom("users")
    .select("id")
    .where("id", "=", userId)
    .forUpdate()
    .executeTakeFirst();
  if (!user) return null;
  // Read after the lock: what was waited for has been done.
  const { rows } = await sql<Standing>`
    select exists (select from user_roles where user_id = users.id and role = 'admin') as "isAdmin",
      suspended_at is not null as "isSuspended"
    from users join profiles on profiles.user_id = users.id
    where users.id = ${userId} and deleted_at is null`.execute(tx);
  return rows[0] ?? null;
}
