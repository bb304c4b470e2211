import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { LACKING_DAYS } from "#app/features/games/filters.ts";
import { addDays, helsinkiDate } from "#app/platform/clock.ts";

export interface DueGame {
  id: string;
  title: string;
  startsAt: Date;
  startTime: string;
  endTime: string;
  venueName: string;
  maxPlayers: number;
  joinedCount: number;
  checkedIn: number;
}

/** Today's, those that still run, and the next one to kick off, by kick-off. One query. */
export async function listGamesOfToday(db: Db, now: Date): Promise<DueGame[]> {
  const today = helsinkiDate(now);
  const midnight = (day: string) => sql`${day}::date::timestamp at time zone 'Europe/Helsinki'`;
  // No game lasts a day, so this bound on the start lets the index be used.
  const { rows } = await sql<DueGame>`
    select games.id, title, starts_at as "startsAt", start_time as "startTime",
      end_time as "endTime", venues.name as "venueName", max_players as "maxPlayers",
      seats_taken as "joinedCount", (
        select count(*)::integer from bookings where game_id = games.id
          and payment_status in ('Paid', 'Unpaid') and attendance = 'CheckedIn'
      ) as "checkedIn"
    from (
      select games.* from unnest(array['Published', 'Completed']) as held (status)
      cross join lateral (
        select * from games where games.status = held.status
          and starts_at > ${now}::timestamptz - interval '25 hours'
          and starts_at < ${midnight(addDays(today, 1))}
          and (starts_at >= ${midnight(today)} or ends_at > ${now})
      ) as games
      union
      (select * from games where status = 'Published' and starts_at > ${now}
        order by starts_at, id limit 1)
    ) as games
    join venues on venues.id = games.venue_id
    order by starts_at, games.id`.execute(db);
  return rows;
}

export interface UnfinishedGame {
  id: string;
  title: string;
  startsAt: Date;
  venueName: string;
  players: number;
  unmarked: number;
  hasResult: boolean;
}

/** Games over in the last 14 days, with players, without a mark for each or a result; newest first. */
export async function listUnfinishedGames(db: Db, now: Date): Promise<UnfinishedGame[]> {
  const since = new Date(now.getTime() - LACKING_DAYS * 86_400_000);
  const { rows } = await sql<UnfinishedGame>`
    select games.id, title, starts_at as "startsAt", venues.name as "venueName",
      seats_taken as players, seats.unmarked, has_result as "hasResult"
    from unnest(array['Published', 'Completed']) as held (status)
    cross join lateral (
      select * from games where games.status = held.status and starts_at > ${since}
        and starts_at < ${now} and ends_at <= ${now} and seats_taken > 0
    ) as games
    cross join lateral (
      select count(*)::integer as unmarked from bookings where game_id = games.id
        and payment_status in ('Paid', 'Unpaid') and attendance is null
    ) as seats
    cross join lateral (
      select exists (select from game_results where game_id = games.id) as has_result
    ) as results
    join venues on venues.id = games.venue_id
    where unmarked > 0 or not has_result
    order by starts_at desc, games.id`.execute(db);
  return rows;
}
