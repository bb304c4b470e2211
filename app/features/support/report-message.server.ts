import { sql } from "kysely";
import { findChatFacts, lockWithAuthor } from "#app/features/chat/messages.server.ts";
import { mayReport } from "#app/features/chat/message-rules.ts";
import { chatAccess } from "#app/features/chat/rules.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { lockAndCheckLimit } from "./tickets.server.ts";

interface Report {
  gameId: string;
  messageId: string;
  userId: string;
  now: Date;
}

type ReportResult =
  | { ok: true }
  | { ok: false; reason: "not-found" | "not-in" | "not-reportable" | "too-many" };

/** Once per player and message. The account's lock makes the limit exact, and a second one wait. */
export async function reportMessage(db: Db, jobs: Jobs, report: Report): Promise<ReportResult> {
  const { gameId, messageId, userId, now } = report;
  if (!isId(gameId) || !isId(messageId)) return { ok: false, reason: "not-found" };
  return db.transaction().execute(async (tx) => {
    const isWithinLimit = await lockAndCheckLimit(tx, "support_messages", userId, now);
    await lockWithAuthor(tx, report);
    const facts = await findChatFacts(tx, report);
    if (!facts) return { ok: false, reason: "not-found" };
    if (chatAccess(facts, now).may === "none") return { ok: false, reason: "not-in" };
    const message = await findMessage(tx, report);
    if (!message) return { ok: false, reason: "not-found" };
    if (message.isReported) return { ok: true };
    const { body, authorId } = message;
    const reporter = { userId, isAdmin: facts.isAdmin };
    if (body === null || !mayReport({ ...message, userId: authorId }, reporter)) {
      return { ok: false, reason: "not-reportable" };
    }
    if (!isWithinLimit) return { ok: false, reason: "too-many" };
    const { id } = await tx
      .insertInto("support_messages")
      .values({
        ...{ user_id: userId, kind: "report", created_at: now, message: body },
        ...{ reported_message_id: messageId, reported_user_id: authorId },
        subject: `Chat message of ${message.name}`,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await jobs.enqueueEmails(tx, "support-message", [{ messageId: id }]);
    return { ok: true };
  });
}

/** Held until the ticket refers to it: chats are purged meanwhile. */
function findMessage(tx: Tx, { gameId, messageId, userId }: Report) {
  return tx
    .selectFrom("chat_messages")
    .leftJoin("profiles", "profiles.user_id", "chat_messages.user_id")
    .select(["chat_messages.user_id as authorId", "kind", "body"])
    .select([
      sql<string>`first_name || ' ' || last_name`.as("name"),
      sql<boolean>`exists (select from support_messages
        where reported_message_id = ${messageId} and user_id = ${userId})`.as("isReported"),
    ])
    .where("chat_messages.id", "=", messageId)
    .where("game_id", "=", gameId)
    .forKeyShare("chat_messages")
    .executeTakeFirst();
}

export async function listReported(
  db: Db,
  { gameId, userId }: { gameId: string; userId: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom("support_messages")
    .innerJoin("chat_messages", "chat_messages.id", "reported_message_id")
    .select("chat_messages.id")
    .where("support_messages.user_id", "=", userId)
    .where("game_id", "=", gameId)
    .execute();
  return rows.map(({ id }) => id);
}

const SHOWN_BEFORE = 5;

/** Where it stands and what was written before it; null once the chat is deleted. */
export async function findReported(db: Db, messageId: string) {
  const message = await db
    .selectFrom("chat_messages")
    .innerJoin("games", "games.id", "game_id")
    .innerJoin("venues", "venues.id", "games.venue_id")
    .select(["chat_messages.id", "game_id as gameId", "number", "removed_by as removedBy"])
    .select(["starts_at as startsAt", "venues.name as venueName"])
    .where("chat_messages.id", "=", messageId)
    .executeTakeFirst();
  if (!message) return null;
  const before = await sql<{ id: string; name: string | null; body: string | null; at: Date }>`
    select id, first_name || ' ' || last_name as name, body, chat_messages.created_at as at
    from chat_messages left join profiles on profiles.user_id = chat_messages.user_id
    where game_id = ${message.gameId} and number < ${message.number}
    order by number desc limit ${SHOWN_BEFORE}`.execute(db);
  return { ...message, before: before.rows.toReversed() };
}
