import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { lockGame } from "#app/features/games/games.server.ts";

interface Message {
  /** Of the form: sent twice, it is one message. */
  messageId: string;
  gameId: string;
  actorId: string;
  subject: string;
  message: string;
  now: Date;
}

export type MessageAnswer =
  | { ok: true; players: number }
  /** "sent-before": the form has sent another message, or it to another game. */
  | { ok: false; reason: "not-found" | "nobody" | "sent-before" };

/**
 * Writes to everybody who is in the game, a mail each, in one transaction with the deed. Answers to
 * how many; a repeat of the same message sends nothing and answers alike.
 */
export async function messagePlayers(db: Db, jobs: Jobs, message: Message): Promise<MessageAnswer> {
  const { messageId, gameId, actorId } = message;
  if (!isId(gameId) || !isId(messageId)) return { ok: false, reason: "not-found" };
  return db.transaction().execute(async (tx) => {
    if (!(await lockGame(tx, gameId))) return { ok: false, reason: "not-found" };
    const bookings = await listLive(tx, gameId);
    if (bookings.length === 0) return { ok: false, reason: "nobody" };
    const players = bookings.length;
    if (!(await keepMessage(tx, message))) {
      return (await isKept(tx, message)) ? { ok: true, players } : SENT_BEFORE;
    }
    for (const { id } of bookings) {
      await jobs.enqueue(tx, "mail.game-message", { messageId, bookingId: id });
    }
    // What was written may be about somebody, and the log keeps for ever.
    const details = { messageId, before: null, after: { players } };
    await recordDeed(tx, { actor: actorId, action: "game.message", subject: gameId, details });
    return { ok: true, players };
  });
}

const SENT_BEFORE = { ok: false, reason: "sent-before" } as const;

function listLive(tx: Tx, gameId: string) {
  return tx
    .selectFrom("bookings")
    .select("id")
    .where("game_id", "=", gameId)
    .where("payment_status", "in", ["Paid", "Unpaid"])
    .orderBy("created_at")
    .execute();
}

/** False where it is there already. */
async function keepMessage(tx: Tx, { messageId, gameId, actorId, now, ...words }: Message) {
  const kept = await tx
    .insertInto("game_messages")
    .values({
      id: messageId,
      game_id: gameId,
      sent_by: actorId,
      subject: words.subject,
      message: words.message,
      sent_at: now,
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return kept !== undefined;
}

/** Whether what is kept under its id is this very message: a form can be gone back to. */
async function isKept(tx: Tx, { messageId, gameId, subject, message }: Message): Promise<boolean> {
  const same = await tx
    .selectFrom("game_messages")
    .select("id")
    .where("id", "=", messageId)
    .where("game_id", "=", gameId)
    .where("subject", "=", subject)
    .where("message", "=", message)
    .executeTakeFirst();
  return same !== undefined;
}
