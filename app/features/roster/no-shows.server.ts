import { type RawBuilder, sql } from "kysely";
import { lockActor } from "#app/features/accounts/accounts.server.ts";
import { lockGame } from "#app/features/games/games.server.ts";
import { tellWatchers } from "#app/features/games/live-games.server.ts";
import { recordAudit } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { noShowsSince } from "./rules.ts";
import { isLive } from "#app/features/games/held-spots.server.ts";

/** From this number on, a roster shows them: once is an accident. */
export const REPEATED_NO_SHOWS = 2;

interface Counted {
  playerId: RawBuilder<unknown>;
  exceptGameId?: RawBuilder<unknown>;
  now: Date;
}

/** As SQL: a player's unexcused no-shows of 90 days, also of games they were removed from since. */
export function noShowsOf({ playerId, exceptGameId, now }: Counted): RawBuilder<number> {
  const isOther = exceptGameId ? sql`missed.game_id <> ${exceptGameId}` : sql`true`;
  return sql<number>`(
    select count(distinct missed.game_id)::integer from bookings missed
    join games missed_game on missed_game.id = missed.game_id
    where missed.user_id = ${playerId} and ${isCounted("missed")} and ${isOther}
      and ${isRecent("missed_game", now)})`;
}

export function playersWithNoShows(now: Date): RawBuilder<unknown> {
  return sql`select missed.user_id from games missed_game
    join bookings missed on missed.game_id = missed_game.id
    where ${isRecent("missed_game", now)} and ${isCounted("missed")}`;
}

export async function countNoShowsOf(
  db: Db,
  { playerIds, now }: { playerIds: string[]; now: Date },
): Promise<Map<string, number>> {
  const { rows } = await sql<{ playerId: string; count: number }>`
    select player.id as "playerId", ${noShowsOf({ playerId: sql.ref("player.id"), now })} as count
    from unnest(${playerIds}::uuid[]) as player (id)`.execute(db);
  return new Map(rows.flatMap(({ playerId, count }) => (count > 0 ? [[playerId, count]] : [])));
}

/** As SQL: a player who left was not expected; one whom the organiser removed was. */
export function isMarked(booking: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${booking}.${name}`);
  return sql<boolean>`${column("attendance")} is not null and (
    ${isLive(booking)} or ${column("end_reason")} = 'Removed')`;
}

export function isCounted(booking: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${booking}.${name}`);
  return sql<boolean>`${column("attendance")} = 'NoShow' and ${isMarked(booking)}
    and ${column("no_show_excused_at")} is null`;
}

function isRecent(game: string, now: Date): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${game}.${name}`);
  return sql<boolean>`${column("status")} in ('Published', 'Completed')
    and ${column("starts_at")} > ${noShowsSince(now)} and ${column("starts_at")} <= ${now}`;
}

export interface NoShow {
  bookingId: string;
  gameId: string;
  title: string;
  venueName: string;
  startsAt: Date;
  excusedAt: Date | null;
  excusedBy: string | null;
  excuse: string | null;
}

/** A player's of the last 90 days, newest first, excused ones among them. One query. */
export async function listNoShows(
  db: Db,
  { playerId, now }: { playerId: string; now: Date },
): Promise<NoShow[]> {
  const { rows } = await sql<NoShow>`
    select bookings.id as "bookingId", game_id as "gameId", title, venues.name as "venueName",
      starts_at as "startsAt", no_show_excused_at as "excusedAt", no_show_excuse as excuse,
      (select first_name || ' ' || last_name from profiles where user_id = no_show_excused_by)
        as "excusedBy"
    from bookings join games on games.id = game_id join venues on venues.id = venue_id
    where bookings.user_id = ${playerId} and attendance = 'NoShow' and ${isMarked("bookings")}
      and ${isRecent("games", now)}
    order by starts_at desc, bookings.id`.execute(db);
  return rows;
}

/** Kick-offs of the no-shows that count, oldest first, which the player may read. */
export async function listCountedNoShows(
  db: Db,
  { playerId, now }: { playerId: string; now: Date },
): Promise<Date[]> {
  const { rows } = await sql<{ startsAt: Date }>`
    select distinct starts_at as "startsAt" from bookings join games on games.id = game_id
    where bookings.user_id = ${playerId} and ${isCounted("bookings")} and ${isRecent("games", now)}
    order by starts_at`.execute(db);
  return rows.map(({ startsAt }) => startsAt);
}

/** The columns of a mark that nobody has excused. */
export const NOT_EXCUSED = {
  no_show_excused_at: null,
  no_show_excused_by: null,
  no_show_excuse: null,
};

interface Change {
  bookingId: string;
  playerId: string;
  actorId: string;
}

type ExcuseResult = { ok: true } | { ok: false; reason: "not-found" | "no-no-show" | "excused" };

/** "excused" where somebody else has excused it before, with a note of their own. */
export async function excuseNoShow(
  db: Db,
  { note, now, ...change }: Change & { note: string; now: Date },
): Promise<ExcuseResult> {
  const { bookingId, actorId } = change;
  return db.transaction().execute(async (tx) => {
    await lockActor(tx, actorId);
    const mark = await lockMark(tx, change);
    if (!mark) return { ok: false, reason: "not-found" };
    if (mark.attendance !== "NoShow") return { ok: false, reason: "no-no-show" };
    if (mark.excusedBy !== null) {
      const isRepeat = mark.excusedBy === actorId && mark.excuse === note;
      return isRepeat ? { ok: true } : { ok: false, reason: "excused" };
    }
    const excused = {
      no_show_excused_at: now,
      no_show_excused_by: actorId,
      no_show_excuse: note,
    };
    await tx.updateTable("bookings").set(excused).where("id", "=", bookingId).execute();
    await record(tx, change, { gameId: mark.gameId, isExcused: true });
    await tellWatchers(tx, mark.gameId);
    return { ok: true };
  });
}

export async function unexcuseNoShow(
  db: Db,
  change: Change,
): Promise<Exclude<ExcuseResult, { reason: "excused" }>> {
  return db.transaction().execute(async (tx) => {
    const mark = await lockMark(tx, change);
    if (!mark) return { ok: false, reason: "not-found" };
    if (mark.attendance !== "NoShow") return { ok: false, reason: "no-no-show" };
    if (mark.excusedBy === null) return { ok: true };
    const { bookingId } = change;
    await tx.updateTable("bookings").set(NOT_EXCUSED).where("id", "=", bookingId).execute();
    await record(tx, change, { gameId: mark.gameId, isExcused: false });
    await tellWatchers(tx, mark.gameId);
    return { ok: true };
  });
}

/** Marks change under their game's lock, as bookings do. */
async function lockMark(tx: Tx, { bookingId, playerId }: Change) {
  if (!isId(bookingId)) return null;
  const bookings = tx.selectFrom("bookings").where("id", "=", bookingId);
  const own = bookings.where("user_id", "=", playerId);
  const booking = await own.select("game_id as gameId").executeTakeFirst();
  if (!booking || !(await lockGame(tx, booking.gameId))) return null;
  // An account that is deleted at this moment takes its notes along, this one too.
  const profile = tx.selectFrom("profiles").select("user_id").where("user_id", "=", playerId);
  const account = await profile.where("deleted_at", "is", null).forKeyShare().executeTakeFirst();
  if (!account) return null;
  // Read after the lock, to see the change that the lock waited for.
  const mark = await own
    .select(["attendance", "no_show_excused_by as excusedBy", "no_show_excuse as excuse"])
    .executeTakeFirst();
  return mark ? { ...mark, ...booking } : null;
}

async function record(
  tx: Tx,
  { bookingId, playerId, actorId }: Change,
  { gameId, isExcused }: { gameId: string; isExcused: boolean },
): Promise<void> {
  // Without the note: the audit log is never deleted.
  const change = { before: { isExcused: !isExcused }, after: { isExcused } };
  const action = isExcused ? "booking.excuse" : "booking.unexcuse";
  const details = { gameId, playerId, ...change };
  await recordAudit(tx, { actor: actorId, action, subject: bookingId, details });
}
