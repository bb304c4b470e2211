import { sql } from "kysely";
import { monthDay, weekdayAndTime } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { OtherGame } from "./decision-emails.tsx";

const AROUND_DAYS = 3;
const MOST = 3;

interface Wish {
  /** The game that is off. */
  gameId: string;
  playerId: string;
  now: Date;
}

/**
 * Games that the player can join at once, within three days of another one: those of its city
 * first, then by how near they are in time. None that somebody waits for, and none at an hour at
 * which the player is in another game.
 */
export async function listOtherGames(db: Db, { gameId, playerId, now }: Wish) {
  const { rows } = await sql<{
    id: string;
    startsAt: Date;
    date: string;
    name: string;
    city: string;
  }>`
    select games.id, games.starts_at as "startsAt", games.date, venues.name, venues.city
    from games join venues on venues.id = games.venue_id
    cross join (
      select starts_at, city from games join venues on venues.id = venue_id
      where games.id = ${gameId}
    ) as off
    where games.status = 'Published' and games.id <> ${gameId}
      and games.starts_at > ${now} and games.ends_at > ${now}
      and games.starts_at between off.starts_at - make_interval(days => ${AROUND_DAYS})
        and off.starts_at + make_interval(days => ${AROUND_DAYS})
      and seats_taken + spots_held < max_players
      and not exists (select from waitlist_entries entry
        where entry.game_id = games.id and entry.status in ('Waiting', 'Offered'))
      and not exists (select from bookings join games as own on own.id = bookings.game_id
        where bookings.user_id = ${playerId} and payment_status in ('Paid', 'Unpaid')
          and own.status = 'Published'
          and own.starts_at < games.ends_at and games.starts_at < own.ends_at)
    order by venues.city <> off.city, abs(extract(epoch from games.starts_at - off.starts_at)),
      games.id
    limit ${MOST}`.execute(db);
  return rows.map(toOtherGame);

  function toOtherGame({
    id,
    startsAt,
    date,
    name: venue,
    city: place,
  }: (typeof rows)[number]): OtherGame {
    return { id, name: `${weekdayAndTime(startsAt)}, ${monthDay(date)}, ${venue}, ${place}` };
  }
}
