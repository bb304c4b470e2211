import { recordAudit } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { lockGame } from "#app/features/games/games.server.ts";
import { liveBookings } from "./bookings.server.ts";

interface Message {
  messageId: string;
  gameId: string;
  actorId: string;
  subject: string;
  message: string;
  now: Date;
}

type MessageResult =
  | { ok: true; players: number }
  /** "sent-before": the form has sent another message, or it to another game. */
  | { ok: false; reason: "not-found" | "nobody" | "sent-before" };

/** A mail to everybody in the game; a repeat of the same message sends nothing. */
export async function messagePlayers(db: Db, jobs: Jobs, message: Message): Promise<MessageResult> {
  const { messageId, gameId, actorId } = message;
  if (!isId(gameId) || !isId(messageId)) return { ok: false, reason: "not-found" };
  return db.transaction().execute(async (tx) => {
    if (!(await lockGame(tx, gameId))) return { ok: false, reason: "not-found" };
    const bookings = await liveBookings(tx, gameId).select("id").orderBy("created_at").execute();
    if (bookings.length === 0) return { ok: false, reason: "nobody" };
    const players = bookings.length;
    if (!(await storeMessage(tx, message))) {
      const isRepeat = await isStored(tx, message);
      return isRepeat ? { ok: true, players } : { ok: false, reason: "sent-before" };
    }
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
  const { messageId: id, gameId: game_id, actorId: sent_by, now: sent_at, ...text } = message;
  const stored = await tx
    .insertInto("game_messages")
    .values({ id, game_id, sent_by, sent_at, ...text })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return stored !== undefined;
}

async function isStored(tx: Tx, message: Message): Promise<boolean> {
  const same = await tx
    .selectFrom("game_messages")
    .select("id")
    .where("id", "=", message.messageId)
    .where("game_id", "=", message.gameId)
    .where("subject", "=", message.subject)
    .where("message", "=", message.message)
    .executeTakeFirst();
  return same !== undefined;
}

const KEPT_DAYS = 365;

export async function purgeMessages(db: Db, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  await db.deleteFrom("game_messages").where("sent_at", "<=", oldest).execute();
}
