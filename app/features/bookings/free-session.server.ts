import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "#app/platform/db.server.ts";

const KEPT_DAYS = 365;

/** Whether this player's one free session is used up, also by an earlier account of the address. */
export function freeSessionIsUsed(playerId: string): RawBuilder<boolean> {
  return sql<boolean>`(
    exists (select from bookings where user_id = ${playerId} and uses_free_session)
    or exists (select from profiles where user_id = ${playerId} and had_free_session)
  )`;
}

/**
 * Remembers of an account that goes that its address has had the free session, for a year: on the
 * caller's transaction, by a hash that tells the address to nobody who lacks the key.
 */
export async function rememberFreeSession(
  tx: Tx,
  { userId, addressHash, now }: { userId: string; addressHash: string; now: Date },
): Promise<void> {
  const keptUntil = new Date(now.getTime() + KEPT_DAYS * 86_400_000);
  await sql`
    insert into former_free_sessions (address_hash, kept_until)
    select ${addressHash}, ${keptUntil} from bookings
    where user_id = ${userId} and uses_free_session
    on conflict (address_hash) do update set kept_until = excluded.kept_until`.execute(tx);
}

/** Lets go what was remembered long enough. */
export async function forgetFreeSessions(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("former_free_sessions").where("kept_until", "<=", now).execute();
}
