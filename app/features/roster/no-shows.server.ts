import { type RawBuilder, sql } from "kysely";
import { changeGame } from "#app/features/games/change-game.server.ts";
import type { Db } from "#app/platform/db.server.ts";
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

/** SQL: a player's unexcused no-shows of 90 days, also of games they were removed from since. */
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

/** SQL: a player who left was not expected; one whom the organiser removed was. */
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

interface NoShowChange {
  bookingId: string;
  playerId: string;
  actorId: string;
}

type ExcuseResult = { ok: true } | { ok: false; reason: "not-found" | "no-no-show" | "excused" };

/** "excused" where somebody else has excused it before, with a note of their own. */
export function excuseNoShow(
  db: Db,
  { note, now, ...change }: NoShowChange & { note: string; now: Date },
): Promise<ExcuseResult> {
  const { actorId } = change;
  return changeExcuse(db, change, ({ excusedBy, excuse }) => {
    const isRepeat = excusedBy === actorId && excuse === note;
    if (excusedBy !== null) return isRepeat ? null : "excused";
    return { no_show_excused_at: now, no_show_excused_by: actorId, no_show_excuse: note };
  });
}

export const unexcuseNoShow = (db: Db, change: NoShowChange): Promise<ExcuseResult> =>
  changeExcuse(db, change, ({ excusedBy }) => (excusedBy === null ? null : NOT_EXCUSED));

type Mark = NonNullable<Awaited<ReturnType<typeof findMark>>>;
interface Excuse {
  no_show_excused_at: Date | null;
  no_show_excused_by: string | null;
  no_show_excuse: string | null;
}

/** Marks change under their game's lock, as bookings do. `decide` returns the columns to change. */
async function changeExcuse(
  db: Db,
  change: NoShowChange,
  decide: (mark: Mark) => "excused" | Excuse | null,
): Promise<ExcuseResult> {
  const { bookingId, playerId } = change;
  const found = await findMark(db, change);
  if (!found) return { ok: false, reason: "not-found" };
  const { gameId } = found;
  const ofGame = { ...change, gameId, action: "booking.excuse", subject: bookingId } as const;
  return changeGame<ExcuseResult>(db, ofGame, async (tx) => {
    // An account that is deleted at this moment takes its notes along, this one too.
    const profile = tx.selectFrom("profiles").select("user_id").where("user_id", "=", playerId);
    const account = await profile.where("deleted_at", "is", null).forKeyShare().executeTakeFirst();
    // Read after the lock, to see the change that the lock waited for.
    const mark = account && (await findMark(tx, change));
    if (!mark) return "not-found";
    if (mark.attendance !== "NoShow") return "no-no-show";
    const columns = decide(mark);
    if (columns === "excused") return "excused";
    if (columns === null) return { ok: true };
    await tx.updateTable("bookings").set(columns).where("id", "=", bookingId).execute();
    const isExcused = columns !== NOT_EXCUSED;
    const action = isExcused ? "booking.excuse" : "booking.unexcuse";
    // Without the note: the audit log is never deleted.
    const details = { gameId, playerId, before: { isExcused: !isExcused }, after: { isExcused } };
    return { ok: true, event: { action, details } };
  });
}

async function findMark(db: Db, { bookingId, playerId }: NoShowChange) {
  if (!isId(bookingId)) return undefined;
  return db
    .selectFrom("bookings")
    .select(["game_id as gameId", "attendance", "no_show_excused_by as excusedBy"])
    .select("no_show_excuse as excuse")
    .where("id", "=", bookingId)
    .where("user_id", "=", playerId)
    .executeTakeFirst();
}
