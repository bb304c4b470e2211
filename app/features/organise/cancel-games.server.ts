import { type RawBuilder, sql } from "kysely";
import { confirmationKey } from "#app/features/games/warnings.server.ts";
import { type Db, inCents, isOneOf, type Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import type { GameStatus } from "#app/platform/schema.ts";
import { cancelGame, IS_PLAYED } from "./cancel-game.server.ts";
import { IS_LIVE } from "#app/features/games/held-spots.server.ts";

export const MOST_GAMES = 100;

/** The game of a page; without a key whatever was shown. */
export function cancelGameAsShown(
  db: Db,
  jobs: Jobs,
  {
    shown,
    ...form
  }: {
    gameId: string;
    shown: string | undefined;
    actor: string;
    message: string | null;
    formKey: string | undefined;
    now: Date;
  },
) {
  const { gameId } = form;
  if (shown === undefined) return cancelGame(db, jobs, form);
  const isAsShown = (tx: Tx) => areAsShown(tx, [gameId], new Map([[gameId, shown]]));
  return cancelGame(db, jobs, { ...form, isAsShown });
}

async function areAsShown(of: Db | Tx, gameIds: string[], shown: Map<string, string>) {
  return (await readGames(of, gameIds)).every((game) => shown.get(game.id) === cancelKey(game));
}

type CancelScope =
  | { gameId: string; withFollowing: boolean }
  | { gameId: string; chosen: string[] }
  | { venueId: string; from: string; to: string };

export interface GameToCancel {
  id: string;
  title: string;
  date: string;
  startTime: string;
  endTime: string;
  venueId: string;
  venueName: string;
  status: GameStatus;
  players: number;
  playerIds: string[];
  waiting: number;
  /** What comes back, also for spots given back late. */
  creditsCents: number;
  cashCents: number;
  freeSessions: number;
  isPlayed: boolean;
}

/** By kick-off, at most one more than `MOST_GAMES`. Only the named game may have begun. */
export async function listToCancel(db: Db, scope: CancelScope, now: Date): Promise<GameToCancel[]> {
  const wanted = wantedGames(scope, now);
  return wanted ? readOpenGames(db, wanted) : [];
}

/** Identifies what was shown of a game, so that nothing else is cancelled. */
export const cancelKey = (game: GameToCancel) =>
  confirmationKey({ ...game, isPlayed: null, playerIds: null });

export const readGames = async (db: Db | Tx, ids: string[]) =>
  ids.length > 0 ? readOpenGames(db, isOneOf("id", ids)) : [];

async function readOpenGames(db: Db | Tx, wanted: RawBuilder<unknown>): Promise<GameToCancel[]> {
  const { rows } = await sql<GameToCancel>`
    select id, title, date, to_char(start_time, 'HH24:MI') as "startTime",
      to_char(end_time, 'HH24:MI') as "endTime", status, seats_taken as players,
      venue_id as "venueId",
      (select name || ', ' || city from venues where id = venue_id) as "venueName",
      ${IS_PLAYED} as "isPlayed",
      (select count(*)::integer from waitlist_entries where game_id = games.id
        and waitlist_entries.status in ('Waiting', 'Offered')) as waiting,
      ${inCents(sql`coalesce(sold.credits, 0)`)} as "creditsCents",
      sold.players as "playerIds", sold.free as "freeSessions", ${inCents(sql`sold.cash`)} as "cashCents"
    from games cross join lateral (
      select sum(price_eur) filter (where payment_status = 'Paid'
          or payment_status = 'Cancelled' and late_refund_eur is not null) as credits,
        coalesce(array_agg(user_id) filter (where ${IS_LIVE}), '{}') as players,
        (count(*) filter (where uses_free_session and ${IS_LIVE}))::integer as free,
        sum(cash.amount_eur) filter (where ${IS_LIVE}) as cash
      from bookings left join cash_payments cash
        on cash.booking_id = bookings.id and cash.undone_at is null
      where game_id = games.id
    ) as sold
    where status in ('Draft', 'Published') and ${wanted}
    order by starts_at, id limit ${MOST_GAMES + 1}`.execute(db);
  return rows;
}

function wantedGames(scope: CancelScope, now: Date): RawBuilder<unknown> | null {
  if ("venueId" in scope) {
    const { venueId, from, to } = scope;
    if (!isId(venueId)) return null;
    return sql`venue_id = ${venueId} and date between ${from} and ${to} and starts_at > ${now}`;
  }
  const { gameId } = scope;
  if (!isId(gameId)) return null;
  if ("chosen" in scope) {
    const ids = scope.chosen.filter(isId);
    if (ids.length === 0) return null;
    return sql`${isOneOf("id", ids)} and starts_at > ${now}
      and series_id = (select series_id from games where id = ${gameId})`;
  }
  const { withFollowing } = scope;
  if (!withFollowing) return sql`id = ${gameId}`;
  return sql`(id = ${gameId} or (starts_at > ${now} and (series_id, true) = (
    select chosen.series_id, games.starts_at > chosen.starts_at
    from games chosen where chosen.id = ${gameId})))`;
}
