import { type RawBuilder, sql } from "kysely";
import { type Db, inCents } from "#app/platform/db.server.ts";
import { countInSpans, monthOf, type Span, spanRows } from "#app/platform/date-ranges.server.ts";
import { countWeeks, type WeeklyMetric } from "#app/platform/weekly-metrics.server.ts";
import { NEW_PLAYERS } from "#app/features/players/profiles.server.ts";
import { INCOME, MOVED_CREDITS } from "#app/features/wallet/metrics.server.ts";
import { isCounted, isMarked } from "#app/features/roster/no-shows.server.ts";
import { CASH_METHODS } from "#app/features/bookings/cash-texts.ts";
import type { CashMethod } from "#app/platform/schema.ts";
import { IS_LIVE } from "#app/features/games/held-spots.server.ts";

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
  const spans = spanRows([monthOf(now), ...weeks], now);
  const query = { spans, hasAny: hasPlayed(now), now };
  const rows = await countWeeks<{ players: number }>(db, active(venueId), query);
  const [thisMonth, ...byWeek] = rows?.map(({ players }) => players) ?? [];
  return thisMonth === undefined ? null : { thisMonth, byWeek };
}

const active = (venueId: string | null) =>
  ofGames(
    "active-players",
    venueId,
    sql`select count(*) as players from (
      select distinct bookings.user_id
      from games join bookings on bookings.game_id = games.id
      where ${playedAt(venueId)} and ${IS_LIVE}
    ) player`,
  );

export type GamesWeek = Record<"games" | "spots" | "taken", number>;

export function countGames(db: Db, { weeks, venueId, now }: ReportQuery) {
  const query = { spans: spanRows(weeks, now), hasAny: hasPlayed(now), now };
  return countWeeks<GamesWeek>(db, played(venueId), query);
}

const played = (venueId: string | null) =>
  ofGames(
    "games",
    venueId,
    sql`select count(*) as games, coalesce(sum(max_players), 0) as spots,
      coalesce(sum(seats_taken), 0) as taken
    from games where ${playedAt(venueId)}`,
  );

function playedAt(venueId: string | null): RawBuilder<unknown> {
  const atVenue = venueId ? sql`games.venue_id = ${venueId} and` : sql``;
  return sql`${atVenue} games.status in ('Published', 'Completed')
    and games.starts_at >= span.starts and games.starts_at < span.ends`;
}

const FIRST_GAME = sql`(
  select min(first) from unnest(array['Published', 'Completed']) as held (status)
  cross join lateral (
    select min(starts_at) as first from games where games.status = held.status
  ) games)`;

function hasPlayed(now: Date): RawBuilder<unknown> {
  return sql`${FIRST_GAME} < ${now}`;
}

export type AttendanceWeek = Record<"marked" | "noShows", number>;

/** Null before anybody's attendance was ever marked. */
export function countNoShows(db: Db, { weeks, venueId, now }: ReportQuery) {
  const first = sql`select from bookings where ${isMarked("bookings")} order by game_id limit 1`;
  const hasAny = sql`exists (select from (${first}) first)`;
  const query = { spans: spanRows(weeks, now), hasAny, now };
  return countWeeks<AttendanceWeek>(db, attendance(venueId), query);
}

const attendance = (venueId: string | null) =>
  ofGames(
    "no-shows",
    venueId,
    sql`select count(*) as marked, count(*) filter (where ${isCounted("bookings")}) as "noShows"
    from games join bookings on bookings.game_id = games.id
    where ${playedAt(venueId)} and ${isMarked("bookings")}`,
  );

/** In cents by method: what was noted and not given back. */
export type CashWeek = Record<"payments" | "notedCents" | "returnedCents" | CashMethod, number>;

/** By when it was noted, less what was noted by mistake. Null before the first payment. */
export function sumCash(db: Db, { weeks, venueId, now }: ReportQuery) {
  const isNoMistake = sql`undone_kind is distinct from 'Mistake'`;
  const atVenue = venueId ? sql`games.venue_id = ${venueId}` : sql`true`;
  const counted = sql`
    select count(*) as payments, ${inCents(sql`coalesce(sum(amount_eur), 0)`)} as "notedCents",
      ${inCents(sql`coalesce(sum(amount_eur) filter (where undone_kind = 'GivenBack'), 0)`)}
        as "returnedCents",
      ${sql.join(CASH_METHODS.map(leftOf))}
    from cash_payments join bookings on bookings.id = booking_id
    join games on games.id = bookings.game_id
    where ${isNoMistake} and ${atVenue} and noted_at >= span.starts and noted_at < span.ends`;
  const hasAny = sql`(select min(noted_at) from cash_payments) is not null`;
  return countInSpans<CashWeek>(db, { spans: weeks, now }, { counted, hasAny });
}

const leftOf = (method: CashMethod) =>
  sql`${inCents(sql`coalesce(sum(amount_eur)
  filter (where undone_kind is null and method = ${method}), 0)`)} as ${sql.ref(method)}`;

export type WaitlistWeek = Record<"waited" | "played", number>;

/** Counts who waited for a game that has kicked off, and how many of them got a spot. */
export function countWaited(db: Db, { weeks, venueId, now }: ReportQuery) {
  const hasAny = sql`exists (select from waitlist_entries)`;
  const query = { spans: spanRows(weeks, now), hasAny, now };
  return countWeeks<WaitlistWeek>(db, waited(venueId), query);
}

const waited = (venueId: string | null) =>
  ofGames(
    "waitlists",
    venueId,
    sql`select count(distinct (games.id, entry.user_id)) as waited,
      count(distinct (games.id, entry.user_id)) filter (where exists (
        select from bookings where bookings.game_id = games.id
          and bookings.user_id = entry.user_id and ${IS_LIVE}
          and attendance is distinct from 'NoShow')) as played
    from games join waitlist_entries entry on entry.game_id = games.id
    where ${playedAt(venueId)}`,
  );

/** Only metrics of all venues are stored; those of one venue are counted each time. */
function ofGames(name: string, venueId: string | null, counted: WeeklyMetric["counted"]) {
  const metric: WeeklyMetric = { name, source: "games", first: FIRST_GAME, counted };
  return venueId ? { ...metric, name: `${name} of a venue` } : metric;
}

export const WEEKLY_METRICS: WeeklyMetric[] = [
  ...[active, played, attendance, waited].map((metric) => metric(null)),
  ...[NEW_PLAYERS, INCOME, MOVED_CREDITS],
];
