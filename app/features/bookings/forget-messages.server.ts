import type { Db } from "#app/platform/db.server.ts";

const KEPT_DAYS = 365;

/** Lets go what organisers wrote to the players of a game, a year after it was sent. */
export async function forgetMessages(db: Db, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  await db.deleteFrom("game_messages").where("sent_at", "<=", oldest).execute();
}
