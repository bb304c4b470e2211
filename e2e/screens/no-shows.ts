import { addGame } from "../../db/insert.ts";
import { excuseNoShow } from "#app/features/roster/no-shows.server.ts";
import { addDays, helsinkiDate } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";

/** So many days ago a player had a seat and did not come. */
export async function stageNoShow(db: Db, playerId: string, daysAgo: number): Promise<string> {
  const { id: venue_id } = await db
    .selectFrom("venues")
    .select("id")
    .where("name", "=", "Otaniemi Sports Hall")
    .executeTakeFirstOrThrow();
  const gameId = await addGame(db, {
    ...{ title: "Evening futsal", venue_id, status: "Published", max_players: 10 },
    ...{ date: addDays(helsinkiDate(new Date()), -daysAgo), start_time: "18:00" },
    end_time: "19:30",
  });
  const mark = { payment_status: "Paid", attendance: "NoShow" } as const;
  const bookings = db
    .insertInto("bookings")
    .values({ user_id: playerId, game_id: gameId, ...mark });
  return (await bookings.returning("id").executeTakeFirstOrThrow()).id;
}

/** Three, of which one is excused. */
export async function stageNoShows(db: Db, playerId: string, actorId: string): Promise<void> {
  await stageNoShow(db, playerId, 6);
  await stageNoShow(db, playerId, 41);
  const bookingId = await stageNoShow(db, playerId, 20);
  const note = "Rang from the train an hour before: no way to get there";
  await excuseNoShow(db, { bookingId, playerId, actorId, note, now: new Date() });
}
