import { recordAudit } from "#app/platform/audit.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { findChatFacts } from "./messages.server.ts";
import { mayPin } from "./message-rules.ts";
import { chatAccess } from "./rules.ts";

interface Pinning {
  gameId: string;
  messageId: string;
  userId: string;
  isPinned: boolean;
  now: Date;
}

type PinResult = { ok: true } | { ok: false; reason: "not-found" | "not-in" | "not-pinnable" };

export async function pinMessage(db: Db, pinning: Pinning): Promise<PinResult> {
  const { gameId, messageId, userId, isPinned, now } = pinning;
  if (!isId(gameId) || !isId(messageId)) return { ok: false, reason: "not-found" };
  return db.transaction().execute(async (tx) => {
    const message = await tx
      .selectFrom("chat_messages")
      .select(["kind", "body", "pinned_at as pinnedAt"])
      .where("id", "=", messageId)
      .where("game_id", "=", gameId)
      .forUpdate()
      .executeTakeFirst();
    const facts = await findChatFacts(tx, pinning);
    if (!facts) return { ok: false, reason: "not-found" };
    if (chatAccess(facts, now).may === "none") return { ok: false, reason: "not-in" };
    if (!message) return { ok: false, reason: "not-found" };
    const { kind, body, pinnedAt } = message;
    if (!mayPin({ kind, isGone: body === null }, facts)) {
      return { ok: false, reason: "not-pinnable" };
    }
    if ((pinnedAt !== null) === isPinned) return { ok: true };
    await tx
      .updateTable("chat_messages")
      .set({ pinned_at: isPinned ? now : null })
      .where("id", "=", messageId)
      .execute();
    const action = isPinned ? "game.chat-pin" : "game.chat-unpin";
    await recordAudit(tx, { actor: userId, action, subject: gameId, details: { messageId } });
    return { ok: true };
  });
}
