import { sql } from "kysely";
import type { Tx, Db } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { type LetterKind, type LetterStatus, LETTERS_PER_HOUR } from "./rules.ts";
import { recordDeed } from "#app/platform/audit.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import type { MessageInput, ReviewInput } from "./input.ts";

export interface LockedLetter {
  id: string;
  kind: LetterKind;
  status: LetterStatus;
  withdrawalId: string | null;
  /** Whether the account of who wrote it is deleted. */
  isGone: boolean;
}

/**
 * Locks a letter for an organiser's deed; null where there is none. The player's row comes before
 * it, as in the deletion of an account, which deletes letters and answers: whoever comes second
 * sees what the first has done.
 */
export async function lockLetter(tx: Tx, letterId: string): Promise<LockedLetter | null> {
  if (!isId(letterId)) return null;
  const { rows } = await sql<{ userId: string; kind: LetterKind }>`
    select user_id as "userId", kind from support_messages where id = ${letterId}
    union all select user_id, 'review' from reviews where id = ${letterId}`.execute(tx);
  const [found] = rows;
  if (!found) return null;
  const writer = await tx
    .selectFrom("profiles")
    .select("deleted_at")
    .where("user_id", "=", found.userId)
    .forKeyShare()
    .executeTakeFirstOrThrow();
  const locked = await lockRow(tx, letterId, found.kind);
  if (!locked) return null;
  return { id: letterId, kind: found.kind, isGone: writer.deleted_at !== null, ...locked };
}

async function lockRow(tx: Tx, letterId: string, kind: LetterKind) {
  if (kind === "review") {
    const reviews = tx.selectFrom("reviews").select("status").where("id", "=", letterId);
    const review = await reviews.forUpdate().executeTakeFirst();
    return review && { ...review, withdrawalId: null };
  }
  return tx
    .selectFrom("support_messages")
    .select(["status", "withdrawal_id as withdrawalId"])
    .where("id", "=", letterId)
    .forUpdate()
    .executeTakeFirst();
}

/** Whether a withdrawal was refused or taken back. Locks it: after its letter, as everywhere. */
export async function hasEnded(tx: Tx, withdrawalId: string): Promise<boolean> {
  const { outcome } = await tx
    .selectFrom("withdrawals")
    .select("outcome")
    .where("id", "=", withdrawalId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return outcome !== null;
}

/** Writes the state of a letter that is locked. */
export async function setStatus(tx: Tx, { id, kind }: LockedLetter, status: LetterStatus) {
  const table = kind === "review" ? "reviews" : "support_messages";
  await tx.updateTable(table).set({ status }).where("id", "=", id).execute();
}

interface AnswerDeed {
  letterId: string;
  /** The form's own: the same one twice is one answer. */
  answerId: string;
  answer: string;
  /** How many answers stood under the letter when this one was written. */
  seen: number;
  actor: string;
  now: Date;
}

export type AnswerOutcome = { ok: true } | { ok: false; reason: "gone" | "answered" };

/**
 * Answers a letter by mail and keeps the answer under it. A message or a review is done with it; a
 * withdrawal is not, before it is paid back. Refused as "answered" where something else was answered
 * meanwhile, as "gone" where the letter or the account of its writer is deleted. Repeated it
 * changes nothing.
 */
export async function answerLetter(
  db: Db,
  jobs: Jobs,
  { letterId, answerId, answer, seen, actor, now }: AnswerDeed,
): Promise<AnswerOutcome> {
  return db.transaction().execute(async (tx) => {
    const letter = await lockLetter(tx, letterId);
    if (!letter || letter.isGone) return { ok: false, reason: "gone" } as const;
    const before = await listAnswers(tx, letter);
    const repeated = before.find(({ id }) => id === answerId);
    if (repeated?.answer === answer) return { ok: true } as const;
    // A form that was gone back to and holds other words now is not sent under the same id.
    if (repeated || before.length !== seen) return { ok: false, reason: "answered" } as const;
    const values = { id: answerId, answer, answered_by: actor, answered_at: now };
    await tx
      .insertInto("letter_answers")
      .values({ ...values, message_id: null, review_id: null, ...refersTo(letter) })
      .execute();
    const status = letter.kind === "withdrawal" ? letter.status : "done";
    if (status !== letter.status) await setStatus(tx, letter, status);
    await recordDeed(tx, {
      actor,
      action: "inbox.answer",
      subject: letterId,
      details: { before: { status: letter.status }, after: { status, answerId } },
    });
    await jobs.enqueue(tx, "mail.answer", { answerId });
    return { ok: true } as const;
  });
}

function listAnswers(tx: Tx, { id, kind }: LockedLetter) {
  return tx
    .selectFrom("letter_answers")
    .select(["id", "answer"])
    .where(kind === "review" ? "review_id" : "message_id", "=", id)
    .execute();
}

function refersTo({ id, kind }: LockedLetter) {
  return kind === "review" ? { review_id: id } : { message_id: id };
}

interface Mark {
  letterId: string;
  status: LetterStatus;
  actor: string;
}

export type MarkOutcome = { ok: true } | { ok: false; reason: "gone" | "not-paid-back" | "ended" };

/**
 * Marks a letter as done, or opens it again; repeated it changes nothing. A withdrawal is done when
 * it is paid back, and one that is opened again counts as not paid back; one that was refused or
 * taken back stays done.
 */
export async function markLetter(db: Db, { letterId, status, actor }: Mark): Promise<MarkOutcome> {
  return db.transaction().execute(async (tx) => {
    const letter = await lockLetter(tx, letterId);
    if (!letter) return { ok: false, reason: "gone" } as const;
    if (letter.status === status) return { ok: true } as const;
    if (letter.withdrawalId && status === "done") {
      return { ok: false, reason: "not-paid-back" } as const;
    }
    if (letter.withdrawalId && (await hasEnded(tx, letter.withdrawalId))) {
      return { ok: false, reason: "ended" } as const;
    }
    await setStatus(tx, letter, status);
    if (letter.withdrawalId) {
      await tx
        .updateTable("withdrawals")
        .set({ paid_back_at: null, paid_back_by: null })
        .where("id", "=", letter.withdrawalId)
        .execute();
    }
    const details = { before: { status: letter.status }, after: { status } };
    await recordDeed(tx, { actor, action: `inbox.${status}`, subject: letterId, details });
    return { ok: true } as const;
  });
}

/**
 * Keeps a player's message in the organiser's inbox and mails it to the contact address. Answers
 * false, and keeps nothing, when this player has sent too many within the hour.
 */
export async function sendMessage(
  db: Db,
  jobs: Jobs,
  { userId, subject, message }: MessageInput & { userId: string },
  now: Date,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    if (!(await isWithinLimit(tx, "support_messages", userId, now))) return false;
    const { id } = await tx
      .insertInto("support_messages")
      .values({ user_id: userId, subject, message, created_at: now })
      .returning("id")
      .executeTakeFirstOrThrow();
    await jobs.enqueue(tx, "mail.support-message", { messageId: id });
    return true;
  });
}

/**
 * Keeps a player's review in the organiser's inbox and mails it to the contact address. Answers
 * false, and keeps nothing, when this player has left too many within the hour.
 */
export async function leaveReview(
  db: Db,
  jobs: Jobs,
  { userId, rating, comment }: ReviewInput & { userId: string },
  now: Date,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    if (!(await isWithinLimit(tx, "reviews", userId, now))) return false;
    const { id } = await tx
      .insertInto("reviews")
      .values({ user_id: userId, rating, comment, created_at: now })
      .returning("id")
      .executeTakeFirstOrThrow();
    await jobs.enqueue(tx, "mail.review", { reviewId: id });
    return true;
  });
}

/**
 * Whether this player may send one more of them now. Locks the player, so that several at once are
 * counted one after another.
 */
export async function isWithinLimit(
  tx: Tx,
  table: "support_messages" | "reviews",
  userId: string,
  now: Date,
): Promise<boolean> {
  await tx.selectFrom("users").select("id").where("id", "=", userId).forNoKeyUpdate().execute();
  const { sent } = await tx
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as("sent"))
    .where("user_id", "=", userId)
    .where("created_at", ">", new Date(now.getTime() - 3_600_000))
    .executeTakeFirstOrThrow();
  return sent < LETTERS_PER_HOUR;
}

/**
 * Deletes what a player has written to the organiser and was answered, on the caller's transaction.
 * Withdrawals and their rows in the inbox stay: they belong to the books, and name nobody once the
 * organiser's words about them are gone.
 */
export async function forgetLetters(tx: Tx, userId: string): Promise<void> {
  await tx
    .deleteFrom("support_messages")
    .where("user_id", "=", userId)
    .where("kind", "=", "message")
    .execute();
  // An answer goes with its letter; one to a withdrawal may begin with the player's name.
  const kept = tx.selectFrom("support_messages").select("id").where("user_id", "=", userId);
  await tx.deleteFrom("letter_answers").where("message_id", "in", kept).execute();
  await tx
    .updateTable("withdrawals")
    .set({ refusal_reason: null })
    .where("user_id", "=", userId)
    .where("refusal_reason", "is not", null)
    .execute();
  await tx.deleteFrom("reviews").where("user_id", "=", userId).execute();
}
