import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { isToComplete, lacks, unmarkedOf } from "#app/features/games/unfinished.server.ts";
import { addDays, helsinkiDate } from "#app/platform/clock.ts";
import { IS_LIVE } from "#app/features/games/held-spots.server.ts";

export interface TodaysGame {
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
export async function listGamesOfToday(db: Db, now: Date): Promise<TodaysGame[]> {
  const today = helsinkiDate(now);
  const midnight = (day: string) => sql`${day}::date::timestamp at time zone 'Europe/Helsinki'`;
  // No game lasts a day, so this bound on the start lets the index be used.
  const { rows } = await sql<TodaysGame>`
    select games.id, title, starts_at as "startsAt", start_time as "startTime",
      end_time as "endTime", venues.name as "venueName", max_players as "maxPlayers",
      seats_taken as "joinedCount", (
        select count(*)::integer from bookings where game_id = games.id
          and ${IS_LIVE} and attendance = 'CheckedIn'
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

export interface UnfinishedGames {
  games: UnfinishedGame[];
  count: number;
  withoutMarks: number;
  withoutResult: number;
}

/** Games over in the last 14 days that had players and lack a mark or a result. One query. */
export async function findUnfinishedGames(
  db: Db,
  { now, limit }: { now: Date; limit: number },
): Promise<UnfinishedGames> {
  type Row = UnfinishedGame & Omit<UnfinishedGames, "games">;
  // Offset 0 looks each up once, not for each column that uses it.
  const { rows } = await sql<Row>`
    select found.*, venues.name as "venueName"
    from (
      select games.id, title, venue_id, starts_at as "startsAt", seats_taken as players, unmarked,
        not lacks_result as "hasResult", (count(*) over ())::integer as count,
        (count(*) filter (where unmarked > 0) over ())::integer as "withoutMarks",
        (count(*) filter (where lacks_result) over ())::integer as "withoutResult"
      from unnest(array['Published', 'Completed']) as held (status)
      cross join lateral (
        select * from games where games.status = held.status and ${isToComplete("games", now)}
      ) as games
      cross join lateral (
        select ${unmarkedOf("games")} as unmarked, ${lacks("result", "games")} as lacks_result
        offset 0
      ) as lacking
      where unmarked > 0 or lacks_result
      order by starts_at desc, games.id limit ${limit}
    ) as found
    join venues on venues.id = venue_id
    order by "startsAt" desc, found.id`.execute(db);
  const { count = 0, withoutMarks = 0, withoutResult = 0 } = rows[0] ?? {};
  return { games: rows, count, withoutMarks, withoutResult };
}
