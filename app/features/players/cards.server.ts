import type { Db } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { findEventStats } from "./event-stats.server.ts";
import { findResults } from "./results.server.ts";

/** What a player card tells, and all that it tells: anybody may see a shared one. */
export type PlayerCard = NonNullable<Awaited<ReturnType<typeof findCard>>>;

/** A player's own card; null where there is no such player. */
export async function findCard(db: Db, userId: string, now: Date) {
  if (!isId(userId)) return null;
  const profile = await db
    .selectFrom("profiles")
    .select([
      "first_name as firstName",
      "last_name as lastName",
      "position",
      "nationality",
      "nationality_code as nationalityCode",
      "profile_picture_url as profilePictureUrl",
    ])
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (!profile) return null;
  const [{ joined }, results] = await Promise.all([
    findEventStats(db, userId, now),
    findResults(db, userId),
  ]);
  return { ...profile, gamesPlayed: joined, ...results };
}

/** The card behind a public address; null where nobody shares one there. */
export async function findSharedCard(db: Db, token: string, now: Date): Promise<PlayerCard | null> {
  if (!/^[\w-]{22}$/.test(token)) return null;
  const card = db.selectFrom("shared_cards").select("user_id").where("token", "=", token);
  const owner = await card.executeTakeFirst();
  return owner ? findCard(db, owner.user_id, now) : null;
}

/** The token of the player's public address; null while the card is not shared. */
export async function findShareToken(db: Db, userId: string): Promise<string | null> {
  const card = db.selectFrom("shared_cards").select("token").where("user_id", "=", userId);
  return (await card.executeTakeFirst())?.token ?? null;
}
