import { sql } from "kysely";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { findChatFacts, lockWithAuthor } from "./messages.server.ts";
import { mayBlock } from "./message-rules.ts";
import { chatAccess } from "./rules.ts";

interface Blocking {
  gameId: string;
  messageId: string;
  userId: string;
  now: Date;
}

type BlockResult =
  | { ok: true; name: string }
  | { ok: false; reason: "not-found" | "not-in" | "not-blockable" };

/** A repeat is ok. Only the author of a message that the player can read can be blocked. */
export async function blockAuthor(db: Db, blocking: Blocking): Promise<BlockResult> {
  const { gameId, messageId, userId, now } = blocking;
  if (!isId(gameId) || !isId(messageId)) return { ok: false, reason: "not-found" };
  return db.transaction().execute(async (tx) => {
    await lockWithAuthor(tx, blocking);
    const facts = await findChatFacts(tx, blocking);
    if (!facts) return { ok: false, reason: "not-found" };
    if (chatAccess(facts, now).may === "none") return { ok: false, reason: "not-in" };
    const message = await tx
      .selectFrom("chat_messages")
      .leftJoin("profiles", "profiles.user_id", "chat_messages.user_id")
      .select(["chat_messages.user_id as authorId", "kind", "body"])
      .select(sql<string>`first_name || ' ' || last_name`.as("name"))
      .where("chat_messages.id", "=", messageId)
      .where("game_id", "=", gameId)
      .executeTakeFirst();
    if (!message) return { ok: false, reason: "not-found" };
    const { authorId, name } = message;
    if (!mayBlock({ ...message, userId: authorId }, { userId })) {
      return { ok: false, reason: "not-blockable" };
    }
    await tx
      .insertInto("player_blocks")
      .values({ user_id: userId, blocked_id: authorId!, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return { ok: true, name: name! };
  });
}

export async function unblockAuthor(
  db: Db,
  { gameId, messageId, userId }: Omit<Blocking, "now">,
): Promise<void> {
  if (!isId(gameId) || !isId(messageId)) return;
  const author = db.selectFrom("chat_messages").select("user_id").where("id", "=", messageId);
  await db
    .deleteFrom("player_blocks")
    .where("user_id", "=", userId)
    .where("blocked_id", "=", author.where("game_id", "=", gameId))
    .execute();
}

export async function unblock(
  db: Db,
  { userId, blockedId }: { userId: string; blockedId: string },
) {
  if (!isId(blockedId)) return;
  const blocks = db.deleteFrom("player_blocks").where("user_id", "=", userId);
  await blocks.where("blocked_id", "=", blockedId).execute();
}

export function listBlocked(db: Db, userId: string) {
  return db
    .selectFrom("player_blocks")
    .innerJoin("profiles", "profiles.user_id", "blocked_id")
    .select(["blocked_id as id", sql<string>`first_name || ' ' || last_name`.as("name")])
    .select(["profile_picture_url as pictureUrl", "player_blocks.created_at as at"])
    .where("player_blocks.user_id", "=", userId)
    .orderBy("player_blocks.created_at", "desc")
    .orderBy("blocked_id")
    .execute();
}

export async function findBlocked(db: Db, userId: string): Promise<string[]> {
  const blocks = db.selectFrom("player_blocks").select("blocked_id as id");
  const rows = await blocks.where("user_id", "=", userId).execute();
  return rows.map(({ id }) => id);
}

/** SQL for `chat_messages`: what this player does not fold. Organisers write to everybody. */
export const isUnfolded = (userId: unknown) =>
  sql<boolean>`(kind <> 'Text' or not exists (select from player_blocks
    where player_blocks.user_id = ${userId} and blocked_id = chat_messages.user_id))`;

/** Deletes both those by and those of the account that is deleted. */
export async function deleteBlocks(tx: Tx, userId: string): Promise<void> {
  await tx
    .deleteFrom("player_blocks")
    .where((eb) => eb.or([eb("user_id", "=", userId), eb("blocked_id", "=", userId)]))
    .execute();
}
