import { recordAudit } from "#app/platform/audit.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { findChatFacts } from "./messages.server.ts";
import { removalBy } from "./message-rules.ts";
import { chatAccess } from "./rules.ts";

interface Removing {
  gameId: string;
  messageId: string;
  userId: string;
  now: Date;
}

type RemoveResult =
  | { ok: true; by: "Author" | "Organiser" }
  | { ok: false; reason: "not-found" | "not-in" | "not-yours" };

/** Its text is gone, its place stays. Authors may in a chat that is read-only, too. */
export async function removeMessage(db: Db, removing: Removing): Promise<RemoveResult> {
  const { gameId, messageId, userId, now } = removing;
  if (!isId(gameId) || !isId(messageId)) return { ok: false, reason: "not-found" };
  return db.transaction().execute(async (tx) => {
    const message = await tx
      .selectFrom("chat_messages")
      .select(["user_id as userId", "kind", "removed_by as removedBy"])
      .where("id", "=", messageId)
      .where("game_id", "=", gameId)
      .forUpdate()
      .executeTakeFirst();
    const facts = await findChatFacts(tx, removing);
    if (!facts) return { ok: false, reason: "not-found" };
    if (chatAccess(facts, now).may === "none") return { ok: false, reason: "not-in" };
    if (!message) return { ok: false, reason: "not-found" };
    const by = removalBy(message, { userId, isAdmin: facts.isAdmin });
    if (!by) return { ok: false, reason: "not-yours" };
    if (message.removedBy) return { ok: true, by };
    await tx
      .updateTable("chat_messages")
      .set({ body: null, pinned_at: null, removed_at: now, removed_by: by })
      .where("id", "=", messageId)
      .execute();
    if (by === "Author") return { ok: true, by };
    // Without the text: it may be about a person, and the audit log is kept for ever.
    const details = { messageId, playerId: message.userId, kind: message.kind };
    const action = "game.chat-remove";
    await recordAudit(tx, { actor: userId, action, subject: gameId, details });
    return { ok: true, by };
  });
}
