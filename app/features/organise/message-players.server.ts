import { sql } from "kysely";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import type { GameStatus } from "#app/platform/schema.ts";
import { announceMessage } from "#app/features/chat/announce.server.ts";
import { staysIn } from "#app/features/chat/messages.server.ts";
import { changeGame } from "#app/features/games/change-game.server.ts";
import { liveBookings } from "#app/features/seats/seats.server.ts";

interface Message {
  messageId: string;
  gameId: string;
  actorId: string;
  subject: string;
  message: string;
  isPinned?: boolean;
  /** Key of the form that cancels games with it. */
  formKey?: string | undefined;
  now: Date;
}

type MessageResult =
  | { ok: true; players: number }
  /** "sent-before": the form has sent another message, or it to another game. */
  | { ok: false; reason: "not-found" | "nobody" | "sent-before" };

/** Mails all who are in (or were, if cancelled) and writes in the chat; a repeat sends nothing. */
export function messagePlayers(db: Db, jobs: Jobs, message: Message): Promise<MessageResult> {
  const { messageId } = message;
  const change = { ...message, subject: message.gameId, action: MESSAGE, jobs };
  return changeGame<MessageResult>(db, change, async (tx, game) => {
    if (!isId(messageId)) return "not-found";
    const before = await findSent(tx, message);
    if (before) return before;
    const bookings = await recipients(tx, game).select("id").orderBy("created_at").execute();
    const players = bookings.length;
    if (players === 0) return "nobody";
    const event = await keepMessage(tx, message, players);
    if (!event) return "sent-before";
    const mails = bookings.map(({ id }) => ({ messageId, bookingId: id }));
    return { ok: true, players, event, notices: [["game-message", mails]] };
  });
}

const MESSAGE = "game.message" as const;

/** Selects who is in; of a cancelled game, who was in until then. */
function recipients(db: Db, { id, status }: { id: string; status: GameStatus }) {
  if (status !== "Cancelled") return liveBookings(db, id);
  const bookings = db.selectFrom("bookings").where("game_id", "=", id);
  // Also while the refunds of a large cancellation are under way.
  return bookings.where(staysIn());
}

export async function countRecipients(db: Db, game: { id: string; status: GameStatus }) {
  const players = recipients(db, game).select(({ fn }) => fn.countAll<number>().as("count"));
  return (await players.executeTakeFirstOrThrow()).count;
}

/** Stores the message, also in the chat; the caller sends emails. Null if this id was used. */
export async function keepMessage(tx: Tx, message: Message, players: number) {
  const { messageId, gameId, formKey } = message;
  if (!(await storeMessage(tx, message, players))) return null;
  await announceMessage(tx, { ...message, isPinned: message.isPinned ?? false });
  // Without the text: it may be about a person, and the audit log is kept for ever.
  const details = { messageId, before: null, after: { players }, formKey };
  return { action: MESSAGE, subject: gameId, details };
}

async function storeMessage(tx: Tx, message: Message, players: number): Promise<boolean> {
  const { messageId: id, gameId: game_id, actorId: sent_by, now: sent_at } = message;
  const text = { subject: message.subject, message: message.message };
  const stored = await tx
    .insertInto("game_messages")
    .values({ id, game_id, sent_by, sent_at, sent_to: players, ...text })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return stored !== undefined;
}

export function listSentMessages(db: Db, gameId: string) {
  return db
    .selectFrom("game_messages as sent")
    .leftJoin("profiles", "profiles.user_id", "sent.sent_by")
    .select(["sent.id", "sent.subject", "sent.message", "sent.sent_at as sentAt"])
    .select(sql<string | null>`first_name || ' ' || last_name`.as("sentBy"))
    .select("sent.sent_to as players")
    .where("sent.game_id", "=", gameId)
    .orderBy("sent_at", "desc")
    .orderBy("sent.id")
    .execute();
}

async function findSent(tx: Tx, message: Message) {
  const { messageId, gameId, subject } = message;
  const stored = await tx
    .selectFrom("game_messages")
    .select(["game_id as gameId", "subject", "message", "sent_to as players"])
    .where("id", "=", messageId)
    .executeTakeFirst();
  if (!stored) return null;
  const isSame =
    stored.gameId === gameId && stored.subject === subject && stored.message === message.message;
  return isSame ? ({ ok: true, players: stored.players } as const) : "sent-before";
}

const KEPT_DAYS = 365;

export async function purgeMessages(db: Db, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  await db.deleteFrom("game_messages").where("sent_at", "<=", oldest).execute();
}
