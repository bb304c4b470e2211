import { sql } from "kysely";
import { NEAR_HOURS } from "#app/features/notifications/rules.ts";
import { weekdayAndTime } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import { defineNotice } from "#app/platform/notices.ts";
import type { ChatMessageKind } from "#app/platform/schema.ts";
import { firstCharacters } from "./message-rules.ts";
import { isFor, isIn, type Kind } from "./pushes.server.ts";

const FIRST_WORDS = 120;
const HOUR_MS = 3_600_000;

interface Found {
  kind: ChatMessageKind;
  body: string;
  createdAt: Date;
  venue: string;
  startsAt: Date;
  endsAt: Date;
}

interface MessageJob {
  gameId: string;
  number: number;
  userId: string;
}

const chat = defineNotice({
  kind: "chat",
  label: "Players write",
  switchable: {
    label: "Players write",
    hint: "In the chat of a game, once an hour at most",
  },
  facts: (job: MessageJob, { db }) => findMessage(db, "chat", job),
  push: {
    data: toJob,
    message: ({ push, game }) => {
      return { ...push, title: "New messages", body: `In ${game}`, isUrgent: false };
    },
  },
});

/** Players' messages without their text, which would be on the screen of a locked phone. */
const chatOrganiser = defineNotice({
  kind: "chat-organiser",
  label: "Organiser writes",
  switchable: {
    label: "Organiser writes",
    hint: "In the chat of a game, each time",
  },
  facts: (job: MessageJob, { db }) => findMessage(db, "chat-organiser", job),
  push: {
    data: toJob,
    message({ push, game, kind, body }) {
      const [subject = "", ...lines] = body.split("\n");
      if (kind !== "Announcement") {
        return { ...push, title: "The organiser wrote", body: `In ${game}`, isUrgent: true };
      }
      const words = `${firstCharacters(lines.join(" "), FIRST_WORDS)} (${game})`;
      return { ...push, title: subject, body: words, isUrgent: true };
    },
  },
});

/** For an organiser who does not play there: as to players, without what was written. */
const chatAnyGame = defineNotice({
  kind: "chat-any-game",
  label: "Players write in any game",
  switchable: {
    label: "Players write in any game",
    hint: "For organisers: in chats of games you are not in, each once an hour at most",
    isForOrganisers: true,
  },
  facts: (job: MessageJob, { db }) => findMessage(db, "chat-any-game", job),
  push: {
    data: toJob,
    message: ({ push, game }) => {
      return { ...push, title: "Players are writing", body: `In ${game}`, isUrgent: false };
    },
  },
});

const isOrganiserOutside = (userId: string) => sql<boolean>`(
  exists (select from user_roles where user_roles.user_id = ${userId} and role = 'admin')
  and not ${isIn(userId, sql.ref("games.id"))})`;

function toJob(gameId: string, version: string, userId: string): MessageJob {
  return { gameId, number: Number(version), userId };
}

/** Checked again: the receiver may have left, read, muted or blocked meanwhile. */
async function findMessage(db: Db, of: Kind, { gameId, number, userId }: MessageJob) {
  const { rows } = await sql<Found>`
    select kind, body, chat_messages.created_at as "createdAt", venues.name as venue,
      starts_at as "startsAt", ends_at as "endsAt"
    from chat_messages
    join games on games.id = chat_messages.game_id join venues on venues.id = games.venue_id
    left join chat_members own on own.user_id = ${userId} and own.game_id = games.id
    where games.id = ${gameId} and number >= ${number}
      and (${of !== "chat-organiser"} or number = ${number})
      and number > coalesce(read_number, 0) and is_muted is not true
      and ${of === "chat-any-game" ? isOrganiserOutside(userId) : isIn(userId, sql.ref("games.id"))}
      and ${isFor(of, sql`${userId}::uuid`)}
    order by number limit 1`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const later = new Date(row.createdAt.getTime() + NEAR_HOURS * HOUR_MS);
  const until = row.createdAt < row.endsAt && row.endsAt < later ? row.endsAt : later;
  const push = { url: `/events/${gameId}/chat#latest`, tag: `chat-${gameId}`, until };
  return { ...row, userId, game: `${row.venue}, ${weekdayAndTime(row.startsAt)}`, push };
}

export const chatNotices = [chatOrganiser, chat, chatAnyGame] as const;
