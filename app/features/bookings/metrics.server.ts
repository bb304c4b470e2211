import { type RawBuilder, sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { monthOf, type Span, spanRows } from "#app/platform/date-ranges.server.ts";

interface ReportQuery {
  weeks: Span[];
  venueId: string | null;
  now: Date;
}

/** Players once in the running month and once in each week; null before the first game. */
export async function countActivePlayers(
  db: Db,
  { weeks, venueId, now }: ReportQuery,
): Promise<{ thisMonth: number; byWeek: number[] } | null> {
  const spans = [monthOf(now), ...weeks];
  const { rows } = await sql<{ players: number; hasAny: boolean }>`
    select counted.players, ${hasPlayed(now)} as "hasAny"
    from ${spanRows(spans, now)} cross join lateral (
      select count(*) as players from (
        select distinct bookings.user_id
        from games join bookings on bookings.game_id = games.id
        where ${playedAt(venueId)} and bookings.payment_status in ('Paid', 'Unpaid')
      ) player
    ) counted
    order by span.place`.execute(db);
  const [month, ...byWeek] = rows;
  if (!month?.hasAny) return null;
  return { thisMonth: month.players, byWeek: byWeek.map(({ players }) => players) };
}

export type GamesWeek = Record<"games" | "spots" | "taken", number>;

export async function countGames(
  db: Db,
  { weeks, venueId, now }: ReportQuery,
): Promise<GamesWeek[] | null> {
  const { rows } = await sql<GamesWeek & { hasAny: boolean }>`
    select counted.*, ${hasPlayed(now)} as "hasAny"
    from ${spanRows(weeks, now)} cross join lateral (
      select count(*) as games, coalesce(sum(max_players), 0) as spots,
        coalesce(sum(seats_taken), 0) as taken
      from games where ${playedAt(venueId)}
    ) counted
    order by span.place`.execute(db);
  if (!rows[0]?.hasAny) return null;
  return rows.map(({ games, spots, taken }) => ({ games, spots, taken }));
}

/** The span's games that were neither cancelled nor drafts. */
function playedAt(venueId: string | null): RawBuilder<unknown> {
  const atVenue = venueId ? sql`games.venue_id = ${venueId} and` : sql``;
  return sql`${atVenue} games.status in ('Published', 'Completed')
    and games.starts_at >= span.starts and games.starts_at < span.ends`;
}

function hasPlayed(now: Date): RawBuilder<unknown> {
  return sql`exists (
    select from unnest(array['Published', 'Completed']) as held (status)
    where (select min(starts_at) from games where games.status = held.status) < ${now})`;
}

export type AttendanceWeek = Record<"marked" | "noShows", number>;

/** Null before anybody's attendance was ever marked. */
export async function countNoShows(
  db: Db,
  { weeks, venueId, now }: ReportQuery,
): Promise<AttendanceWeek[] | null> {
  const isMarked = sql`attendance is not null and payment_status in ('Paid', 'Unpaid')`;
  const { rows } = await sql<AttendanceWeek & { hasAny: boolean }>`
    select counted.*, exists (
      select from (select from bookings where ${isMarked} order by game_id limit 1) first
    ) as "hasAny"
    from ${spanRows(weeks, now)} cross join lateral (
      select count(*) as marked, count(*) filter (where attendance = 'NoShow') as "noShows"
      from games join bookings on bookings.game_id = games.id
      where ${playedAt(venueId)} and ${isMarked}
    ) counted
    order by span.place`.execute(db);
  if (!rows[0]?.hasAny) return null;
  return rows.map(({ marked, noShows }) => ({ marked, noShows }));
}
