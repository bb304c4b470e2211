import { sql } from "kysely";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isUnfolded } from "./blocks.server.ts";
import { isByOrganiser, staysIn } from "./messages.server.ts";
import { OPEN_HOURS, UNREAD_MAX } from "./rules.ts";

interface Reader {
  userId: string;
  now: Date;
}

/** Unread messages of others since the player joined, by game, at most `UNREAD_MAX` + 1. Only of
 * games that they are in: an organiser may read every chat, but follows their own. */
export async function listUnread(db: Db, { userId, now }: Reader): Promise<Map<string, number>> {
  const oldest = new Date(now.getTime() - OPEN_HOURS * 3_600_000);
  // Not "exists", which the planner would hash: one look for each booking.
  const isOpen = sql`(select ends_at > ${oldest} from games where games.id = bookings.game_id)`;
  const { rows } = await sql<{ gameId: string; count: number }>`
    select own.game_id as "gameId", unread.count
    from (
      select game_id, max(created_at) as joined_at from bookings
      where user_id = ${userId} and ${staysIn()} and ${isOpen} group by game_id
    ) own
    cross join lateral (
      select last_number, coalesce((select read_number from chat_members
        where user_id = ${userId} and game_id = own.game_id), 0) as read_number
      from chats where chats.game_id = own.game_id and last_number > 0 limit 1
    ) chat
    cross join lateral (
      select count(*)::integer as count from (
        select from chat_messages
        where game_id = own.game_id and number > chat.read_number and created_at >= joined_at
          and ${isNewTo(userId)}
        limit ${UNREAD_MAX + 1}
      ) counted
    ) unread
    where unread.count > 0`.execute(db);
  return new Map(rows.map(({ gameId, count }) => [gameId, count]));
}

export interface UnreadChat {
  gameId: string;
  title: string;
  venueName: string;
  startsAt: Date;
  /** At most `UNREAD_MAX` + 1. */
  count: number;
}

/** What players wrote and this organiser has not read, of all games whose chats are open, by
 * kick-off. One query. */
export async function listUnreadOfOrganiser(
  db: Db,
  { userId, now }: Reader,
): Promise<UnreadChat[]> {
  const oldest = new Date(now.getTime() - OPEN_HOURS * 3_600_000);
  // No game lasts a day, so this bound on the start lets the index be used.
  const { rows } = await sql<UnreadChat>`
    select found.id as "gameId", title, venues.name as "venueName", starts_at as "startsAt",
      unread.count
    from unnest(array['Published', 'Cancelled', 'Completed']) as held (status)
    cross join lateral (
      select id, title, venue_id, starts_at from games where games.status = held.status
        and starts_at > ${oldest}::timestamptz - interval '25 hours' and ends_at > ${oldest}
    ) found
    cross join lateral (
      select last_number, coalesce((select read_number from chat_members
        where user_id = ${userId} and game_id = found.id), 0) as read_number
      from chats where chats.game_id = found.id and last_number > 0 limit 1
    ) chat
    cross join lateral (
      select count(*)::integer as count from (
        select from chat_messages
        where game_id = found.id and number > chat.read_number and ${isNewTo(userId)}
          and kind = 'Text' and not ${isByOrganiser()}
        limit ${UNREAD_MAX + 1}
      ) counted
    ) unread
    join venues on venues.id = found.venue_id
    where unread.count > 0 order by starts_at, found.id`.execute(db);
  return rows;
}

/** SQL for `chat_messages`: what others have written, without a join's welcome. */
const isNewTo = (userId: string) => sql<boolean>`(body is not null and kind <> 'FirstGame'
  and chat_messages.user_id is distinct from ${userId} and ${isUnfolded(userId)})`;

export async function findFirstUnread(
  db: Db,
  { gameId, userId }: { gameId: string; userId: string },
): Promise<number | null> {
  const { rows } = await sql<{ number: number }>`
    select number from chat_messages
    where game_id = ${gameId} and ${isNewTo(userId)}
      and number > coalesce((select read_number from chat_members
        where user_id = ${userId} and game_id = ${gameId}), 0)
      and created_at >= (select max(bookings.created_at) from bookings
        where bookings.user_id = ${userId} and bookings.game_id = ${gameId} and ${staysIn()})
    order by number limit 1`.execute(db);
  return rows[0]?.number ?? null;
}

interface Reading {
  gameId: string;
  userId: string;
  /** Number of the last message shown; one that does not exist yet is not marked as read. */
  number: number;
}

/** It never lowers. Only for those who may read the chat. */
export async function markRead(db: Db, { gameId, userId, number }: Reading): Promise<void> {
  await sql`
    insert into chat_members (user_id, game_id, read_number)
    select ${userId}, game_id, least(last_number, ${number}) from chats
    where game_id = ${gameId} and last_number > 0 and ${number} > 0
    on conflict (user_id, game_id) do update set read_number = excluded.read_number
    where chat_members.read_number < excluded.read_number`.execute(db);
}

export async function setMuted(
  db: Db,
  { gameId, userId, isMuted }: { gameId: string; userId: string; isMuted: boolean },
): Promise<void> {
  await db
    .insertInto("chat_members")
    .values({ user_id: userId, game_id: gameId, is_muted: isMuted })
    .onConflict((conflict) =>
      conflict.columns(["user_id", "game_id"]).doUpdateSet({ is_muted: isMuted }),
    )
    .execute();
}

export async function findMuted(
  db: Db,
  { gameId, userId }: { gameId: string; userId: string },
): Promise<boolean> {
  const own = db.selectFrom("chat_members").select("is_muted").where("user_id", "=", userId);
  return (await own.where("game_id", "=", gameId).executeTakeFirst())?.is_muted ?? false;
}

export async function deleteMemberships(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom("chat_members").where("user_id", "=", userId).execute();
}
