import { type RawBuilder, sql } from "kysely";
import { notifyDue } from "#app/features/notifications/notify.server.ts";
import {
  type NoticeTarget,
  dueUntil,
  isNear,
  NEAR_HOURS,
} from "#app/features/notifications/rules.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { isUnfolded } from "./blocks.server.ts";
import { isByOrganiser, staysIn } from "./messages.server.ts";

/** `chat-any-game` is for organisers, of the games that they are not in themselves. */
export type Kind = "chat" | "chat-organiser" | "chat-any-game";

const HOUR_MS = 3_600_000;
/** Anybody who is reading has marked a message as read by then. */
const READING_SECONDS = 15;

/** All kinds, later than the message, so that anybody who is reading gets no push. */
export async function pushChats(db: Db, jobs: Jobs, now: Date): Promise<void> {
  const talks = (await listTalks(db, now)).filter(
    (game) => dueUntil(now) || (!game.isCancelled && isNear(game, now)),
  );
  if (talks.length === 0) return;
  for (const kind of ["chat-organiser", "chat", "chat-any-game"] as const) {
    const listDue = (limit: number) => listUnpushed(db, { kind, talks, now, limit });
    const recordSent = (tx: Tx, notices: NoticeTarget[]) => recordPushed(tx, kind, notices, now);
    await notifyDue(db, jobs, { kind, now, listDue, record: recordSent });
  }
}

const IS_ORGANISERS = sql<boolean>`(kind = 'Announcement' or ${isByOrganiser()})`;

/** Whether a message is of this kind to this player. */
export const isFor = (kind: Kind, userId: unknown) => sql<boolean>`(body is not null
  and kind <> 'FirstGame' and ${IS_ORGANISERS} = ${kind === "chat-organiser"}
  and chat_messages.user_id is distinct from ${userId} and ${isUnfolded(userId)})`;

interface Talk {
  gameId: string;
  isCancelled: boolean;
  startsAt: Date;
  endsAt: Date;
  /** Before the first message that may be pushed. */
  after: number;
  /** The last one before any that somebody may still be reading. */
  until: number;
  lastOf: Record<"players" | "organisers", number>;
}

const ago = (now: Date, ms: number) => new Date(now.getTime() - ms);

/** Chats of the last hours; once a game is over, without what mattered only until its end. */
async function listTalks(db: Db, now: Date): Promise<Talk[]> {
  const read = sql`chat_messages.created_at <= ${ago(now, READING_SECONDS * 1_000)}`;
  const { rows } = await sql<Talk>`
    select games.id as "gameId", starts_at as "startsAt", ends_at as "endsAt",
      status = 'Cancelled' as "isCancelled", min(number) - 1 as after,
      coalesce(min(number) filter (where not ${read}) - 1, max(number)) as until,
      json_build_object(
        'players', coalesce(max(number) filter (where not ${IS_ORGANISERS}), 0),
        'organisers', coalesce(max(number) filter (where ${IS_ORGANISERS}), 0)) as "lastOf"
    from chat_messages cross join lateral (
      select id, status, starts_at, ends_at from games where games.id = game_id limit 1
    ) games
    where chat_messages.created_at > ${ago(now, NEAR_HOURS * HOUR_MS)}
      and (ends_at > ${now} or chat_messages.created_at >= ends_at)
    group by games.id, status, starts_at, ends_at`.execute(db);
  return rows;
}

interface Listing {
  kind: Kind;
  talks: Talk[];
  now: Date;
  limit: number;
}

/** SQL: who may be pushed of a game's messages, and of those since when. */
const READERS: Record<Kind, RawBuilder<unknown>> = {
  chat: inGame(),
  "chat-organiser": inGame(),
  "chat-any-game": sql`select user_id, '-infinity'::timestamptz as since from user_roles
    where role = 'admin' and not ${isIn(sql.ref("user_roles.user_id"), sql.ref("talk.game_id"))}
      and exists (select from push_subscriptions where user_id = user_roles.user_id)`,
};

function inGame() {
  return sql`select user_id, min(created_at) as since from bookings
    where bookings.game_id = talk.game_id and ${staysIn()}
      and exists (select from push_subscriptions where user_id = bookings.user_id)
    group by user_id`;
}

/** SQL: whether somebody is in a game, and so is pushed as its players are. */
export function isIn(userId: unknown, gameId: unknown) {
  return sql<boolean>`exists (select from bookings where bookings.game_id = ${gameId}
    and bookings.user_id = ${userId} and ${staysIn()})`;
}

/** For those with a device: only what comes after the last message that was read or pushed. */
async function listUnpushed(db: Db, { kind, talks, now, limit }: Listing) {
  const isPlayers = kind !== "chat-organiser";
  const pushed = sql.ref(isPlayers ? "pushed_number" : "organiser_pushed_number");
  const isRested = sql`coalesce(pushed_at <= ${ago(now, HOUR_MS)}, true)`;
  const { rows } = await sql<NoticeTarget>`
    select player.user_id as "userId", talk.game_id as "subjectId", message.number::text as version
    from unnest(${talks.map(({ gameId }) => gameId)}::uuid[],
      ${talks.map(({ after }) => after)}::integer[],
      ${talks.map(({ until, lastOf }) => Math.min(until, lastOf[isPlayers ? "players" : "organisers"]))}::integer[]
    ) talk (game_id, after, until)
    cross join lateral (${READERS[kind]}) player
    left join lateral (
      select read_number, is_muted, pushed_at, ${pushed} as pushed from chat_members
      where user_id = player.user_id and chat_members.game_id = talk.game_id limit 1
    ) own on true
    cross join lateral (
      select number from chat_messages
      where chat_messages.game_id = talk.game_id
        and number > greatest(talk.after, read_number, pushed) and number <= talk.until
        and created_at > since and ${isFor(kind, sql.ref("player.user_id"))}
      order by number limit ${isPlayers ? 1 : null}
    ) message
    where is_muted is not true and ${isPlayers ? isRested : sql`true`}
    order by 1, 2, message.number limit ${limit}`.execute(db);
  return rows;
}

/** In one order, since two processes may push the same ones; none of an account that is deleted. */
async function recordPushed(tx: Tx, kind: Kind, notices: NoticeTarget[], now: Date) {
  const isPlayers = kind !== "chat-organiser";
  const columns = isPlayers
    ? sql`(user_id, game_id, pushed_number, pushed_at)`
    : sql`(user_id, game_id, organiser_pushed_number)`;
  // What has been written by now is in the push of the first message.
  const values = isPlayers ? sql`max(last_number), ${now}::timestamptz` : sql`max(number)`;
  const set = isPlayers
    ? sql`pushed_number = excluded.pushed_number, pushed_at = excluded.pushed_at`
    : sql`organiser_pushed_number =
        greatest(chat_members.organiser_pushed_number, excluded.organiser_pushed_number)`;
  await sql`
    insert into chat_members ${columns}
    select user_id, chats.game_id, ${values}
    from unnest(${notices.map(({ userId }) => userId)}::uuid[],
      ${notices.map(({ subjectId }) => subjectId)}::uuid[],
      ${notices.map(({ version }) => Number(version))}::integer[]
    ) notice (user_id, game_id, number)
    join chats on chats.game_id = notice.game_id
    join profiles using (user_id) where deleted_at is null
    group by user_id, chats.game_id order by user_id, chats.game_id
    on conflict (user_id, game_id) do update set ${set}`.execute(tx);
}
