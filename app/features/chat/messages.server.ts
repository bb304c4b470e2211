import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Db, Tx } from "#app/platform/db.server.ts";
import type { ChatMessageKind, ChatRemoval } from "#app/platform/schema.ts";
import { isId } from "#app/platform/ids.ts";
import { type ChatFacts, KEPT_DAYS } from "./rules.ts";
import { IS_LIVE } from "#app/features/games/held-spots.server.ts";

export interface ChatMessage {
  id: string;
  number: number;
  kind: ChatMessageKind;
  /** Null once it is removed. */
  body: string | null;
  createdAt: Date;
  pinnedAt: Date | null;
  removedBy: ChatRemoval | null;
  /** Null once the account is deleted. */
  userId: string | null;
  firstName: string | null;
  lastName: string | null;
  pictureUrl: string | null;
  isOrganiser: boolean;
}

interface Membership {
  gameId: string;
  userId: string;
}

type StoredFacts = ChatFacts & { wasIn: boolean; isDeleted: boolean };

/** What `chatAccess` decides by; `wasIn` is ever. Null where there is no such game. */
export async function findChatFacts(db: Db, membership: Membership): Promise<StoredFacts | null> {
  if (!isId(membership.gameId)) return null;
  const [facts] = await listChatFacts(db, [membership]);
  return facts ?? null;
}

export async function listChatFacts(db: Db, asked: Membership[]) {
  const [gameIds, userIds] = [asked.map(({ gameId }) => gameId), asked.map(({ userId }) => userId)];
  const { rows } = await sql<Membership & StoredFacts>`
    select asked.game_id as "gameId", asked.user_id as "userId", games.status, ends_at as "endsAt",
      exists (select from bookings where bookings.game_id = asked.game_id
        and bookings.user_id = asked.user_id and ${staysIn()}) as "isIn",
      exists (select from bookings where bookings.game_id = asked.game_id
        and bookings.user_id = asked.user_id) as "wasIn",
      exists (select from user_roles where user_roles.user_id = asked.user_id and role = 'admin')
        as "isAdmin",
      coalesce((select suspended_at is not null from users where users.id = asked.user_id), false)
        as "isSuspended",
      coalesce((select deleted_at is not null from profiles
        where profiles.user_id = asked.user_id), false) as "isDeleted"
    from unnest(${gameIds}::uuid[], ${userIds}::uuid[]) asked (game_id, user_id)
    join games on games.id = asked.game_id`.execute(db);
  return rows;
}

/** A booking that is live, or that only the cancellation of its game has ended. */
export const staysIn = () => sql<boolean>`(${IS_LIVE} or end_reason = 'GameCancelled')`;

/** SQL for `chat_messages`: whether its author is an organiser now. */
export const isByOrganiser = () => sql<boolean>`exists (select from user_roles
  where user_roles.user_id = chat_messages.user_id and role = 'admin')`;

export interface Page {
  gameId: string;
  limit: number;
  before?: number | null;
}

/** The newest of a chat, oldest of them first. Only for those who may read it. */
export async function listMessages(db: Db, { gameId, limit, before = null }: Page) {
  const { rows } = await sql<ChatMessage>`
    select ${COLUMNS} where game_id = ${gameId} and (${before}::integer is null or number < ${before})
    order by number desc limit ${limit}`.execute(db);
  return rows.reverse();
}

const PINNED_MAX = 3;

export async function listPinned(db: Db, gameId: string): Promise<ChatMessage[]> {
  const { rows } = await sql<ChatMessage>`
    select ${COLUMNS} where game_id = ${gameId} and pinned_at is not null
    order by number desc limit ${PINNED_MAX}`.execute(db);
  return rows;
}

interface Asked {
  gameId: string;
  after: number;
  /** Also what was removed among those after this number. */
  removedAfter: number;
}

export interface ChatUpdates {
  lastNumber: number;
  /** By number: the newest, and what was removed before them. */
  messages: ChatMessage[];
  /** More was removed than is listed. */
  isCut: boolean;
}

interface Chat {
  gameId: string;
  lastNumber: number;
  /** Up to it, only what was removed is listed. */
  knownNumber: number;
}

/** Reads many chats at once, at most so many new messages of each, and twice as many removed;
 * nothing of a game that is not there. */
export async function listUpdates(
  db: Db,
  asked: Asked[],
  limit: number,
): Promise<Map<string, ChatUpdates>> {
  const { rows } = await sql<ChatMessage & Chat>`
    select asked.game_id as "gameId", last_number as "lastNumber", known.number as "knownNumber",
      message.*
    from unnest(${asked.map(({ gameId }) => gameId)}::uuid[],
      ${asked.map(({ after }) => after)}::integer[],
      ${asked.map(({ removedAfter }) => removedAfter)}::integer[]
    ) asked (game_id, after, removed_after)
    join chats on chats.game_id = asked.game_id
    cross join lateral (select greatest(after, last_number - ${limit}::integer) as number) known
    left join lateral (
      select ${COLUMNS} where chat_messages.game_id = asked.game_id and number > known.number
      union all (
        select ${COLUMNS} where chat_messages.game_id = asked.game_id and number > removed_after
          and number <= known.number and removed_by is not null
        order by number limit ${2 * limit + 1}
      )
    ) message on true
    order by number`.execute(db);
  const updates = new Map<string, ChatUpdates>();
  for (const { gameId, lastNumber, knownNumber, ...message } of rows) {
    const chat = updates.get(gameId) ?? { lastNumber, messages: [], isCut: false };
    updates.set(gameId, chat);
    if (message.id) chat.messages.push(message);
    if (message.number <= knownNumber) chat.isCut = chat.messages.length > 2 * limit;
  }
  return updates;
}

const COLUMNS = sql`chat_messages.id, number, kind, body, chat_messages.created_at as "createdAt",
    pinned_at as "pinnedAt", removed_by as "removedBy", chat_messages.user_id as "userId",
    first_name as "firstName", last_name as "lastName", profile_picture_url as "pictureUrl",
    ${isByOrganiser()} as "isOrganiser"
  from chat_messages left join lateral (
    select first_name, last_name, profile_picture_url from profiles
    where profiles.user_id = chat_messages.user_id limit 1
  ) author on true`;

/** Locks the player and the message's author, for a row that names both. By user id, as
 * `lockWallets`, and before the message, as a deletion does. */
export async function lockWithAuthor(
  tx: Tx,
  { messageId, userId }: { messageId: string; userId: string },
): Promise<void> {
  await tx
    .selectFrom("profiles")
    .select("user_id")
    .where((eb) => {
      const message = eb.selectFrom("chat_messages").select("user_id").where("id", "=", messageId);
      return eb.or([eb("user_id", "=", userId), eb("user_id", "=", message)]);
    })
    .orderBy("user_id")
    .forKeyShare()
    .execute();
}

interface NewMessage {
  /** If a message has this id already, it is left alone. */
  id?: string;
  gameId: string;
  userId: string;
  kind: ChatMessageKind;
  body: string;
  createdAt: Date;
  pinnedAt?: Date | null;
}

/** False if its id is taken: then the caller must roll back, for the number is used up. Others who
 * write to the same chat wait until the commit. */
export async function appendMessage(tx: Tx, message: NewMessage): Promise<boolean> {
  const { id = randomUUID(), gameId, userId, kind, body, createdAt, pinnedAt = null } = message;
  const { number } = await tx
    .updateTable("chats")
    .set({ last_number: sql`last_number + 1` })
    .where("game_id", "=", gameId)
    .returning("last_number as number")
    .executeTakeFirstOrThrow();
  const stored = await tx
    .insertInto("chat_messages")
    .values({
      ...{ id, game_id: gameId, number, user_id: userId, kind, body },
      ...{ created_at: createdAt, pinned_at: pinnedAt },
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return stored !== undefined;
}

/** Announcements stay: they are the organisers'. */
export async function eraseMessages(tx: Tx, { userId, now }: { userId: string; now: Date }) {
  await sql`
    update chat_messages set user_id = null,
      body = case when kind = 'Announcement' then body end,
      removed_at = case when kind = 'Announcement' then removed_at else ${now} end,
      removed_by = case when kind = 'Announcement' then removed_by else 'AccountDeleted' end
    where user_id = ${userId}`.execute(tx);
}

/** Deletes old chats and what was read of them. Starts from chats, since a join would read all
 * games ever. Skips one that is being changed until tomorrow. */
export async function purgeChats(db: Db, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  await sql`
    delete from chat_messages where id in (
      select message.id from (select distinct game_id from chat_messages) chat
      cross join lateral (
        select from games where id = chat.game_id and ends_at <= ${oldest} limit 1
      ) game
      join chat_messages message on message.game_id = chat.game_id
      for update of message skip locked
    )`.execute(db);
  await sql`
    delete from chat_members where game_id in (
      select chat.game_id from (select distinct game_id from chat_members) chat
      cross join lateral (
        select from games where id = chat.game_id and ends_at <= ${oldest} limit 1
      ) game
    )`.execute(db);
}
