import { sql } from "kysely";
import { hasSpots } from "#app/features/games/games.server.ts";
import { monthDay, weekdayAndTime } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { playsMeanwhile } from "#app/features/waitlist/order.server.ts";

const AROUND_DAYS = 3;
const MOST = 3;

interface Wish {
  gameId: string;
  playerId: string;
  now: Date;
}

/** Games within three days of another that the player can join at once: first its city's, then by
 * time. None with a waitlist, and none at an hour at which the player is in another game. */
export async function listOtherGames(db: Db, { gameId, playerId, now }: Wish) {
  const times = { startsAt: sql.ref("games.starts_at"), endsAt: sql.ref("games.ends_at") };
  const isBusy = playsMeanwhile(sql.val(playerId), { id: gameId, ...times });
  const { rows } = await sql<GameNearby>`
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
      and ${hasSpots(now)}
      and not exists (select from waitlist_entries entry
        where entry.game_id = games.id and entry.status in ('Waiting', 'Offered'))
      and not ${isBusy}
    order by venues.city <> off.city, abs(extract(epoch from games.starts_at - off.starts_at)),
      games.id
    limit ${MOST}`.execute(db);
  return rows.map(toOtherGame);
}

export interface OtherGame {
  id: string;
  name: string;
}

interface GameNearby {
  id: string;
  startsAt: Date;
  date: string;
  name: string;
  city: string;
}

function toOtherGame({ id, startsAt, date, name, city }: GameNearby): OtherGame {
  return { id, name: `${weekdayAndTime(startsAt)}, ${monthDay(date)}, ${name}, ${city}` };
}
