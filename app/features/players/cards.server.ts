import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";

export type PlayerCard = NonNullable<Awaited<ReturnType<typeof findCard>>>;

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

/** `created` is always 0: a game belongs to no player. */
export async function findEventStats(db: Db, userId: string, now: Date) {
  const { rows } = await sql<{ joined: number }>`
    select count(*)::int as joined from bookings join games on games.id = bookings.game_id
    where bookings.user_id = ${userId} and payment_status = 'Paid'
      and games.ends_at <= ${now} and games.status <> 'Cancelled'`.execute(db);
  return { joined: rows[0]!.joined, created: 0 };
}

/** Only paid bookings count, as for the number of games on the card. */
export async function findResults(db: Db, userId: string) {
  const { rows } = await sql<{ wins: number | null; goals: number | null }>`
    select case when count(*) > 0 then count(*) filter (where has_won) end::int as wins,
      sum(goals)::int as goals
    from bookings join games on games.id = bookings.game_id
    where bookings.user_id = ${userId} and goals is not null
      and payment_status = 'Paid' and attendance is distinct from 'NoShow'
      and games.status <> 'Cancelled'`.execute(db);
  return rows[0]!;
}

export async function findSharedCard(db: Db, token: string, now: Date): Promise<PlayerCard | null> {
  if (!/^[\w-]{22}$/.test(token)) return null;
  const card = db.selectFrom("shared_cards").select("user_id").where("token", "=", token);
  const owner = await card.executeTakeFirst();
  return owner ? findCard(db, owner.user_id, now) : null;
}

export async function findShareToken(db: Db, userId: string): Promise<string | null> {
  const card = db.selectFrom("shared_cards").select("token").where("user_id", "=", userId);
  return (await card.executeTakeFirst())?.token ?? null;
}

/** A card that is already shared keeps its token, so that its links keep working. */
export async function shareCard(db: Db, userId: string): Promise<string> {
  const { token } = await db
    .insertInto("shared_cards")
    .values({ user_id: userId, token: randomBytes(16).toString("base64url") })
    // Changes nothing, so that an existing row is returned.
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet({ user_id: userId }))
    .returning("token")
    .executeTakeFirstOrThrow();
  return token;
}

/** For good: sharing again makes a new token. Returns the old one; its pictures must be deleted. */
export async function stopSharingCard(db: Db | Tx, userId: string): Promise<string | null> {
  const card = db.deleteFrom("shared_cards").where("user_id", "=", userId).returning("token");
  return (await card.executeTakeFirst())?.token ?? null;
}
