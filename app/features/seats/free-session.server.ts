import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { Db, Tx } from "#app/platform/db.server.ts";

/** SQL; an earlier account of the same address counts too. */
export function freeSessionIsUsed(playerId: string | RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(
    exists (select from bookings where user_id = ${playerId} and uses_free_session)
    or exists (select from profiles where user_id = ${playerId} and had_free_session)
  )`;
}

const FREE_SESSION_KEPT_DAYS = 365;

/** Keeps for a year, by a keyed hash, that a deleted account's address had its free session. */
export async function saveUsedFreeSession(
  tx: Tx,
  { userId, addressHash, now }: { userId: string; addressHash: string; now: Date },
): Promise<void> {
  const keptUntil = new Date(now.getTime() + FREE_SESSION_KEPT_DAYS * 86_400_000);
  await sql`
    insert into former_free_sessions (address_hash, kept_until)
    select ${addressHash}, ${keptUntil} from bookings
    where user_id = ${userId} and uses_free_session
    on conflict (address_hash) do update set kept_until = excluded.kept_until`.execute(tx);
}

export async function purgeFreeSessions(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("former_free_sessions").where("kept_until", "<=", now).execute();
}
