import { type Expression, sql } from "kysely";
import { type Db, inCents } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";

export type BulkCancellation = NonNullable<Awaited<ReturnType<typeof findCancellation>>>;

export async function findCancellation(db: Db, cancellationId: string) {
  if (!isId(cancellationId)) return null;
  const cancellation = await db
    .selectFrom("bulk_cancellations")
    .leftJoin("profiles", "profiles.user_id", "cancelled_by")
    .select(["bulk_cancellations.created_at as startedAt"])
    .select(sql<string | null>`first_name || ' ' || last_name`.as("by"))
    .where("bulk_cancellations.id", "=", cancellationId)
    .executeTakeFirst();
  if (!cancellation) return null;
  const games = await db
    .selectFrom("bulk_cancellation_games as game")
    .innerJoin("games", "games.id", "game.game_id")
    .innerJoin("venues", "venues.id", "games.venue_id")
    .select((game) => lastChanges(game.ref("games.id"), cancellation.startedAt))
    .select(["games.id", "title", "date", "start_time as startTime", "end_time as endTime"])
    .select(["venues.name as venueName", "skipped", "finished_at as finishedAt"])
    .select(["players", "seats_taken as playersLeft"])
    .select(inCents("refunded_eur").as("creditsCents"))
    .where("cancellation_id", "=", cancellationId)
    .orderBy("games.starts_at")
    .orderBy("games.id")
    .execute();
  return { ...cancellation, games };
}

/** When somebody joined, left or edited the game last, before it was to be cancelled. */
function lastChanges(gameId: Expression<unknown>, until: Date) {
  const last = sql<Date | null>;
  const bookings = sql`from bookings where game_id = ${gameId}`;
  return [
    last`(select max(created_at) ${bookings} and created_at <= ${until})`.as("joinedAt"),
    last`(select max(cancelled_at) ${bookings} and cancelled_at <= ${until})`.as("leftAt"),
    last`(select max(created_at) from audit_log where action = 'game.edit'
      and subject = ${gameId}::text and created_at <= ${until})`.as("editedAt"),
  ] as const;
}

/** Cancellations with games that are not refunded yet, oldest first. */
export async function listUnfinishedCancellations(db: Db) {
  const { rows } = await sql<{ id: string; startedAt: Date; games: number; left: number }>`
    select bulk_cancellations.id, created_at as "startedAt", count(*)::integer as games,
      (count(*) filter (where finished_at is null))::integer as left
    from bulk_cancellations join bulk_cancellation_games game on cancellation_id = id
    where skipped is null and id in (
      select cancellation_id from bulk_cancellation_games where finished_at is null)
    group by bulk_cancellations.id order by created_at`.execute(db);
  return rows;
}

const KEPT_DAYS = 365;

export async function purgeCancellations(db: Db, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  await sql`
    delete from bulk_cancellations where created_at <= ${oldest} and not exists (
      select from bulk_cancellation_games where cancellation_id = id and finished_at is null)`.execute(
    db,
  );
}
