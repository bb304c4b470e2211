import { sql } from "kysely";
import type { PushContents } from "#app/features/notifications/jobs.server.ts";
import { notifyDue, wasSent } from "#app/features/notifications/notify.server.ts";
import { type DueNotification, NEAR_HOURS, dueUntil } from "#app/features/notifications/rules.ts";
import { weekdayAndTime } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { isUnfolded } from "./blocks.server.ts";
import { staysIn } from "./messages.server.ts";

type Kind = "chat" | "chat-organiser";

const HOUR_MS = 3_600_000;
/** Anyone who is reading has marked a message by then. */
const READING_SECONDS = 15;

/** Both kinds, found rather than sent with the message, so that who is reading is not pushed. */
export async function pushChats(db: Db, jobs: Jobs, now: Date): Promise<void> {
  for (const kind of ["chat-organiser", "chat"] as const) {
    const listDue = (limit: number) => listUnpushed(db, kind, now, limit);
    await notifyDue(db, jobs, { kind, now, listDue, enqueueMail: async () => {} });
  }
}

const IS_ORGANISERS = sql<boolean>`(kind = 'Announcement' or exists (select from user_roles
  where user_roles.user_id = chat_messages.user_id and role = 'admin'))`;

const READ = sql`coalesce((select case when is_muted then 2147483647 else read_number end
  from chat_members where user_id = booking.user_id and game_id = booking.game_id), 0)`;

/** At night only of games that are near. What was written at night is found in the morning. */
async function listUnpushed(db: Db, kind: Kind, now: Date, limit: number) {
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const nearUntil = new Date(now.getTime() + NEAR_HOURS * HOUR_MS);
  const isPlayers = kind === "chat";
  const ofHour = sql`not exists (select from notifications_sent sent
    where sent.user_id = booking.user_id and sent.kind = 'chat' and sent.sent_at > ${ago(HOUR_MS)}
      and subject like booking.game_id || ' %')`;
  // What was there at the last push was told by it.
  const sinceLast = sql`chat_messages.created_at > coalesce((
    select max(sent_at) from notifications_sent sent
    where sent.user_id = booking.user_id and sent.kind = 'chat'
      and subject like booking.game_id || ' %'), '-infinity')`;
  const once = isPlayers
    ? sql`${ofHour} and ${sinceLast}`
    : sql`not ${wasSent("booking.user_id", kind, sql`booking.game_id || ' ' || number`)}`;
  const { rows } = await sql<DueNotification>`
    select booking.user_id as "userId", booking.game_id as "subjectId", min(number)::text as version
    from chat_messages
    join games on games.id = chat_messages.game_id
    join bookings booking on booking.game_id = chat_messages.game_id and ${staysIn()}
    where chat_messages.created_at > ${ago(NEAR_HOURS * HOUR_MS)}
      and chat_messages.created_at <= ${ago(READING_SECONDS * 1_000)}
      and chat_messages.created_at > booking.created_at
      and body is not null and kind <> 'FirstGame' and ${IS_ORGANISERS} = ${!isPlayers}
      and chat_messages.user_id is distinct from booking.user_id
      and ${isUnfolded(sql.ref("booking.user_id"))} and number > ${READ}
      and exists (select from push_subscriptions where user_id = booking.user_id)
      and (${dueUntil(now) !== null} or starts_at between ${now} and ${nearUntil})
      and ${once}
    group by booking.user_id, booking.game_id ${isPlayers ? sql`` : sql`, number`}
    order by 1, 2 limit ${limit}`.execute(db);
  return rows;
}

const FIRST_WORDS = 120;

/** Players' messages without their text, which would be on the screen of a locked phone. */
export function chatPushes({ db }: { db: Db }): Pick<PushContents, Kind> {
  const about = async (gameId: string, number: string) => {
    const row = await db
      .selectFrom("chat_messages")
      .innerJoin("games", "games.id", "game_id")
      .innerJoin("venues", "venues.id", "games.venue_id")
      .select(["kind", "body", "venues.name as venue", "starts_at as startsAt"])
      .select("chat_messages.created_at as createdAt")
      .where("game_id", "=", gameId)
      .where("number", "=", Number(number))
      .where("body", "is not", null)
      .executeTakeFirst();
    if (!row) return null;
    const game = `${row.venue}, ${weekdayAndTime(row.startsAt)}`;
    const until = new Date(row.createdAt.getTime() + NEAR_HOURS * HOUR_MS);
    const push = { url: `/events/${gameId}/chat#latest`, tag: `chat-${gameId}`, until };
    return { ...row, game, push };
  };
  return {
    async chat(gameId, number) {
      const found = await about(gameId, number);
      if (!found) return null;
      return { ...found.push, title: "New messages", body: `In ${found.game}`, isUrgent: false };
    },
    async "chat-organiser"(gameId, number) {
      const found = await about(gameId, number);
      if (!found) return null;
      const { push, game, kind, body } = found;
      const [subject = "", ...lines] = body!.split("\n");
      if (kind !== "Announcement") {
        return { ...push, title: "The organiser wrote", body: `In ${game}`, isUrgent: true };
      }
      const words = `${lines.join(" ").slice(0, FIRST_WORDS)} (${game})`;
      return { ...push, title: subject, body: words, isUrgent: true };
    },
  };
}
