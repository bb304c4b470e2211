import { sql } from "kysely";
import { recordAudit } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { announceMessage } from "#app/features/chat/announce.server.ts";
import { lockGame } from "#app/features/games/games.server.ts";
import { liveBookings } from "./bookings.server.ts";

interface Message {
  messageId: string;
  gameId: string;
  actorId: string;
  subject: string;
  message: string;
  /** In the chat, above the others. */
  isPinned?: boolean;
  now: Date;
}

type MessageResult =
  | { ok: true; players: number }
  /** "sent-before": the form has sent another message, or it to another game. */
  | { ok: false; reason: "not-found" | "nobody" | "sent-before" };

/** A mail to everybody in the game, and a message in its chat; a repeat of the same message sends nothing. */
export async function messagePlayers(db: Db, jobs: Jobs, message: Message): Promise<MessageResult> {
  const { messageId, gameId, actorId } = message;
  if (!isId(gameId) || !isId(messageId)) return { ok: false, reason: "not-found" };
  return db.transaction().execute(async (tx) => {
    if (!(await lockGame(tx, gameId))) return { ok: false, reason: "not-found" };
    const before = await findSent(tx, message);
    if (before) return before;
    const bookings = await liveBookings(tx, gameId).select("id").orderBy("created_at").execute();
    const players = bookings.length;
    if (players === 0) return { ok: false, reason: "nobody" };
    if (!(await storeMessage(tx, message))) return { ok: false, reason: "sent-before" };
    await announceMessage(tx, { ...message, isPinned: message.isPinned ?? false });
    for (const { id } of bookings) {
      await jobs.enqueue(tx, "mail.game-message", { messageId, bookingId: id });
    }
    // Without the text: it may be about a person, and the audit log is kept for ever.
    const details = { messageId, before: null, after: { players } };
    await recordAudit(tx, { actor: actorId, action: "game.message", subject: gameId, details });
    return { ok: true, players };
  });
}

async function storeMessage(tx: Tx, message: Message): Promise<boolean> {
  const { messageId: id, gameId: game_id, actorId: sent_by, now: sent_at } = message;
  const text = { subject: message.subject, message: message.message };
  const stored = await tx
    .insertInto("game_messages")
    .values({ id, game_id, sent_by, sent_at, ...text })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return stored !== undefined;
}

/** The result of the same message; null where this form has sent nothing yet. */
async function findSent(tx: Tx, message: Message): Promise<MessageResult | null> {
  const { messageId, gameId, subject } = message;
  const stored = await tx
    .selectFrom("game_messages")
    .select(["game_id as gameId", "subject", "message"])
    .select(
      sql<number>`(select (details->'after'->>'players')::integer from audit_log
      where action = 'game.message' and audit_log.subject = ${gameId}
        and details->>'messageId' = ${messageId})`.as("players"),
    )
    .where("id", "=", messageId)
    .executeTakeFirst();
  if (!stored) return null;
  const isSame =
    stored.gameId === gameId && stored.subject === subject && stored.message === message.message;
  return isSame ? { ok: true, players: stored.players } : { ok: false, reason: "sent-before" };
}

const KEPT_DAYS = 365;

export async function purgeMessages(db: Db, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  await db.deleteFrom("game_messages").where("sent_at", "<=", oldest).execute();
}
