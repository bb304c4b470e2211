import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { monthOf, weeksUntil } from "#app/platform/date-ranges.server.ts";
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
  const { joined, wins, goals, thisMonth, weeksInARow } = await findStats(db, userId, now);
  return { ...profile, gamesPlayed: joined, wins, goals, thisMonth, weeksInARow };
}

export interface PlayerStats {
  joined: number;
  /** Always 0: a game belongs to no player. */
  created: number;
  /** Null until a result is recorded. */
  wins: number | null;
  goals: number | null;
  /** Games that ended in this month of Helsinki's calendar, as the monthly challenge counts them. */
  thisMonth: number;
  /** Weeks from Monday with a game, up to this week or the last. */
  weeksInARow: number;
  /** Where most games were, then the latest; null without one. No one else sees it. */
  favouriteVenue: string | null;
}

/** Counts paid games that are over and took place. A no-show has paid; its result is left out. */
export async function findStats(db: Db, userId: string, now: Date): Promise<PlayerStats> {
  const [lastWeek] = weeksUntil(now, 2);
  const { rows } = await sql<PlayerStats>`
    with played as (
      select venue_id, ends_at, has_won, goals,
        goals is not null and attendance is distinct from 'NoShow' as is_recorded,
        date_trunc('week', games.date::timestamp)::date as week
      from bookings join games on games.id = bookings.game_id
      where bookings.user_id = ${userId} and payment_status = 'Paid'
        and games.ends_at <= ${now} and games.status <> 'Cancelled'
    ), weeks as (
      select week, max(week) over () as latest, row_number() over (order by week desc)::int as place
      from (select distinct week from played) listed
    ), favourite as (
      select venue_id from played
      group by venue_id order by count(*) desc, max(ends_at) desc, venue_id limit 1
    )
    select count(*)::int as joined, 0 as created,
      case when bool_or(is_recorded)
        then count(*) filter (where is_recorded and has_won) end::int as wins,
      sum(goals) filter (where is_recorded)::int as goals,
      count(*) filter (
        where ends_at >= ${monthOf(now).from}::date::timestamp at time zone 'Europe/Helsinki'
      )::int as "thisMonth",
      (
        select count(*)::int from weeks
        where week = latest - 7 * (place - 1) and latest >= ${lastWeek!.from}::date
      ) as "weeksInARow",
      (select name from venues join favourite on venue_id = venues.id) as "favouriteVenue"
    from played`.execute(db);
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
