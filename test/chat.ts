import { randomUUID } from "node:crypto";
import { addPlayer } from "#app/features/roster/add-player.server.ts";
import { sendMessage } from "#app/features/chat/send-message.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { TestDatabase } from "./db.ts";
import { aGame, aPlayer, NOW } from "./fixtures.ts";

type ChatDatabase = Pick<TestDatabase, "db" | "jobs">;

/** A player whom an organiser has added to the game. */
export async function memberOf(
  { db, jobs }: ChatDatabase,
  gameId: string,
  name = "Cleo",
  now = NOW,
) {
  const [playerId, actorId] = [await aPlayer(db, { name }), await aPlayer(db, { name: "Otto" })];
  const added = await addPlayer(db, jobs, { gameId, playerId, actorId, now });
  if (!added.ok) throw new Error(added.reason);
  return { userId: playerId, bookingId: added.bookingId };
}

/** A game in two days and somebody in it. */
export async function aChat(parts: ChatDatabase, startsIn = 48) {
  const gameId = await aGame(parts.db, { startsIn });
  return { gameId, ...(await memberOf(parts, gameId)) };
}

export function say(
  db: Db,
  who: { gameId: string; userId: string },
  { body = "Hi all", messageId = randomUUID() as string, now = NOW } = {},
) {
  return sendMessage(db, { gameId: who.gameId, userId: who.userId, messageId, body, now });
}

/** Everything in a chat, by number. */
export const messagesOf = (db: Db, gameId: string) =>
  db
    .selectFrom("chat_messages")
    .selectAll()
    .where("game_id", "=", gameId)
    .orderBy("number")
    .execute();

export const textsOf = async (db: Db, gameId: string) =>
  (await messagesOf(db, gameId)).map(({ kind, body }) => `${kind}: ${body}`);
