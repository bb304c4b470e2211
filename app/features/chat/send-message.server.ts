import { sql } from "kysely";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { appendMessage, findChatFacts, staysIn } from "./messages.server.ts";
import { chatAccess, MOST_COUNTED, secondsToWait, SEND_LIMITS } from "./rules.ts";

interface Sending {
  gameId: string;
  userId: string;
  messageId: string;
  body: string;
  now: Date;
}

type SendError = "not-found" | "not-in" | "suspended" | "over" | "form-used";

export type SendResult =
  | { ok: true }
  | { ok: false; reason: SendError }
  | { ok: false; reason: "too-many"; retryAfterSeconds: number };

/** Locks account, profile, booking, chat: anybody who is removed has written before, or not at all. */
export async function sendMessage(db: Db, sending: Sending): Promise<SendResult> {
  if (!isId(sending.gameId) || !isId(sending.messageId)) return { ok: false, reason: "not-found" };
  const sent = db.transaction().execute(async (tx): Promise<SendResult> => {
    await lockMember(tx, sending);
    const facts = await findChatFacts(tx, sending);
    if (!facts) return { ok: false, reason: "not-found" };
    const access = facts.isDeleted ? ({ may: "none" } as const) : chatAccess(facts, sending.now);
    if (access.may === "none") return { ok: false, reason: "not-in" };
    // Before the checks below, whose answer may have changed: it was sent then.
    const before = await findSent(tx, sending);
    if (before) return before;
    if (access.may === "read-only") return { ok: false, reason: access.why };
    const retryAfterSeconds = await secondsUntilAllowed(tx, sending);
    if (retryAfterSeconds > 0) return { ok: false, reason: "too-many", retryAfterSeconds };
    const { gameId, userId, messageId: id, body, now: createdAt } = sending;
    const message = { id, gameId, userId, kind: "Text", body, createdAt } as const;
    if (!(await appendMessage(tx, message))) throw new FormUsed();
    return { ok: true };
  });
  return sent.catch((error) => {
    if (error instanceof FormUsed) return { ok: false, reason: "form-used" };
    throw error;
  });
}

/** Rolls back, so that the next message gets the number. */
class FormUsed extends Error {}

/** An account's messages wait for each other. The message's own trigger locks the profile too. */
async function lockMember(tx: Tx, { gameId, userId }: Sending): Promise<void> {
  await tx.selectFrom("users").select("id").where("id", "=", userId).forNoKeyUpdate().execute();
  await tx
    .selectFrom("profiles")
    .select("user_id")
    .where("user_id", "=", userId)
    .forKeyShare()
    .execute();
  await tx
    .selectFrom("bookings")
    .select("id")
    .where("game_id", "=", gameId)
    .where("user_id", "=", userId)
    .where(staysIn())
    .forShare()
    .execute();
}

async function findSent(tx: Tx, sending: Sending): Promise<SendResult | null> {
  const { messageId, gameId, userId, body } = sending;
  const sent = await tx
    .selectFrom("chat_messages")
    .select(["game_id", "user_id", "body"])
    .where("id", "=", messageId)
    .executeTakeFirst();
  if (!sent) return null;
  const isSame = sent.game_id === gameId && sent.user_id === userId && sent.body === body;
  return isSame ? { ok: true } : { ok: false, reason: "form-used" };
}

const LONGEST_SECONDS = Math.max(...SEND_LIMITS.map(({ seconds }) => seconds));

/** Under the account's lock; removed messages count too. */
async function secondsUntilAllowed(tx: Tx, { userId, now }: Sending): Promise<number> {
  const since = new Date(now.getTime() - LONGEST_SECONDS * 1_000);
  const { rows } = await sql<{ at: Date }>`
    select created_at as at from chat_messages
    where user_id = ${userId} and kind = 'Text' and created_at > ${since}
    order by created_at desc limit ${MOST_COUNTED}`.execute(tx);
  return secondsToWait(
    rows.map(({ at }) => at),
    now,
  );
}
