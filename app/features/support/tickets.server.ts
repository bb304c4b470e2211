import { sql } from "kysely";
import { lockActor } from "#app/features/accounts/accounts.server.ts";
import { recordAudit } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import type { MessageInput, ReviewInput } from "./input.ts";
import { type TicketKind, type TicketStatus, TICKETS_PER_HOUR } from "./rules.ts";

export async function sendMessage(
  db: Db,
  jobs: Jobs,
  { userId, subject, message }: MessageInput & { userId: string },
  now: Date,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const isWithinLimit = await lockAndCheckLimit(tx, "support_messages", userId, now);
    const same = tx.selectFrom("support_messages").select("id").where("user_id", "=", userId);
    const since = same.where("created_at", ">", repeatsSince(now));
    if (
      await since.where("subject", "=", subject).where("message", "=", message).executeTakeFirst()
    )
      return true;
    if (!isWithinLimit) return false;
    const { id } = await tx
      .insertInto("support_messages")
      .values({ user_id: userId, subject, message, created_at: now })
      .returning("id")
      .executeTakeFirstOrThrow();
    await jobs.enqueueEmails(tx, "support-message", [{ messageId: id }]);
    return true;
  });
}

export async function leaveReview(
  db: Db,
  jobs: Jobs,
  { userId, rating, comment }: ReviewInput & { userId: string },
  now: Date,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const isWithinLimit = await lockAndCheckLimit(tx, "reviews", userId, now);
    const same = tx.selectFrom("reviews").select("id").where("user_id", "=", userId);
    const since = same.where("created_at", ">", repeatsSince(now));
    if (
      await since
        .where("rating", "=", rating)
        .where("comment", "is not distinct from", comment)
        .executeTakeFirst()
    )
      return true;
    if (!isWithinLimit) return false;
    const { id } = await tx
      .insertInto("reviews")
      .values({ user_id: userId, rating, comment, created_at: now })
      .returning("id")
      .executeTakeFirstOrThrow();
    await jobs.enqueueEmails(tx, "review", [{ reviewId: id }]);
    return true;
  });
}

/** The same text once more is the same form sent twice. */
const repeatsSince = (now: Date) => new Date(now.getTime() - 10 * 60_000);

/** Locks the player, so that concurrent tickets are counted one after another. */
export async function lockAndCheckLimit(
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
  return sent < TICKETS_PER_HOUR;
}

type LockedTicket = NonNullable<Awaited<ReturnType<typeof lockTicket>>>;

/** The writer's row is locked first, as in the deletion of an account, which deletes tickets. */
export async function lockTicket(tx: Tx, ticketId: string) {
  if (!isId(ticketId)) return null;
  const { rows } = await sql<{ userId: string; kind: TicketKind }>`
    select user_id as "userId", kind from support_messages where id = ${ticketId}
    union all select user_id, 'review' from reviews where id = ${ticketId}`.execute(tx);
  const [found] = rows;
  if (!found) return null;
  const writer = await tx
    .selectFrom("profiles")
    .select("deleted_at")
    .where("user_id", "=", found.userId)
    .forKeyShare()
    .executeTakeFirstOrThrow();
  const locked = await lockRow(tx, ticketId, found.kind);
  const { kind, userId } = found;
  return locked && { id: ticketId, kind, userId, isGone: writer.deleted_at !== null, ...locked };
}

async function lockRow(tx: Tx, ticketId: string, kind: TicketKind) {
  if (kind === "review") {
    const reviews = tx.selectFrom("reviews").select("status").where("id", "=", ticketId);
    const review = await reviews.forUpdate().executeTakeFirst();
    return review && { ...review, withdrawalId: null };
  }
  return tx
    .selectFrom("support_messages")
    .select(["status", "withdrawal_id as withdrawalId"])
    .where("id", "=", ticketId)
    .forUpdate()
    .executeTakeFirst();
}

/** Whether a withdrawal was declined or taken back. Locks it after its ticket, as everywhere. */
export async function lockAndCheckEnded(tx: Tx, withdrawalId: string): Promise<boolean> {
  const { outcome } = await tx
    .selectFrom("withdrawals")
    .select("outcome")
    .where("id", "=", withdrawalId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return outcome !== null;
}

export async function setStatus(tx: Tx, { id, kind }: LockedTicket, status: TicketStatus) {
  const table = kind === "review" ? "reviews" : "support_messages";
  await tx.updateTable(table).set({ status }).where("id", "=", id).execute();
}

interface ThreadEntry {
  id: string;
  text: string;
  at: Date;
  by: string | null;
  /** Where a reply came from another address than the account's. */
  sentFrom: string | null;
  /** The Message-ID of a reply's email. */
  mailId: string | null;
}

/** Answers and replies. Under the ticket's lock no other is added. */
export async function listThread(db: Db, ticketId: string) {
  const { rows } = await sql<ThreadEntry>`
    with answers as (
      select * from letter_answers where message_id = ${ticketId} or review_id = ${ticketId}
    )
    select id, answer as text, answered_at as at, first_name || ' ' || last_name as by,
      null as "sentFrom", null as "mailId"
    from answers join profiles on profiles.user_id = answered_by
    union all
    select reply.id, body, reply.created_at, null, sent_from, mail_id
    from answers join ticket_replies reply on answer_id = answers.id
    order by at, id`.execute(db);
  return rows;
}

/** After all that is in the thread: a request may be older than the lock that it waited for. */
export function nextMoment(thread: ThreadEntry[], now: Date): Date {
  const last = thread.at(-1);
  return new Date(Math.max(now.getTime(), last ? last.at.getTime() + 1 : 0));
}

type Unseen = "answered" | "replied";

/** What was added to a thread after the organiser's page was read. */
function findUnseen(thread: ThreadEntry[], seen: number): Unseen | null {
  if (thread.length === seen) return null;
  return thread.at(-1)?.by === null ? "replied" : "answered";
}

interface Answer {
  ticketId: string;
  answerId: string;
  answer: string;
  /** How many answers and replies the form's page shows. */
  seen: number;
  actor: string;
  now: Date;
}

/** By mail. "gone": ticket or writer is deleted. */
export async function answerTicket(
  db: Db,
  jobs: Jobs,
  { ticketId, answerId, answer, seen, actor, now }: Answer,
): Promise<{ ok: true } | { ok: false; reason: "gone" | Unseen }> {
  return db.transaction().execute(async (tx) => {
    await lockActor(tx, actor);
    const ticket = await lockTicket(tx, ticketId);
    if (!ticket || ticket.isGone) return { ok: false, reason: "gone" } as const;
    const thread = await listThread(tx, ticketId);
    const repeated = thread.find(({ id }) => id === answerId);
    if (repeated?.text === answer) return { ok: true } as const;
    // After going back, a form with different text is not sent under the same id.
    const unseen = repeated ? "answered" : findUnseen(thread, seen);
    if (unseen) return { ok: false, reason: unseen } as const;
    const answered_at = nextMoment(thread, now);
    const values = { id: answerId, answer, answered_by: actor, answered_at };
    const refersTo = ticket.kind === "review" ? { review_id: ticketId } : { message_id: ticketId };
    await tx
      .insertInto("letter_answers")
      .values({ ...values, message_id: null, review_id: null, ...refersTo })
      .execute();
    const status = ticket.kind === "withdrawal" ? ticket.status : "done";
    if (status !== ticket.status) await setStatus(tx, ticket, status);
    await recordAudit(tx, {
      actor,
      action: "inbox.answer",
      subject: ticketId,
      details: { before: { status: ticket.status }, after: { status, answerId } },
    });
    await jobs.enqueueEmails(tx, "answer", [{ answerId }]);
    return { ok: true } as const;
  });
}

type Marking = { ticketId: string; actor: string } & (
  | { status: "open" }
  /** `seen` as of an answer. */
  | { status: "done"; seen: number }
);

/** A withdrawal is done when refunded; once declined or taken back it stays done. */
export async function markTicket(
  db: Db,
  { ticketId, actor, ...marking }: Marking,
): Promise<{ ok: true } | { ok: false; reason: "gone" | "not-paid-back" | "ended" | Unseen }> {
  const { status } = marking;
  return db.transaction().execute(async (tx) => {
    const ticket = await lockTicket(tx, ticketId);
    if (!ticket) return { ok: false, reason: "gone" } as const;
    if (ticket.status === status) return { ok: true } as const;
    const { withdrawalId } = ticket;
    if (withdrawalId && status === "done") return { ok: false, reason: "not-paid-back" } as const;
    if (marking.status === "done") {
      const unseen = findUnseen(await listThread(tx, ticketId), marking.seen);
      if (unseen) return { ok: false, reason: unseen } as const;
    }
    if (withdrawalId && (await lockAndCheckEnded(tx, withdrawalId))) {
      return { ok: false, reason: "ended" } as const;
    }
    await setStatus(tx, ticket, status);
    if (withdrawalId) {
      await tx
        .updateTable("withdrawals")
        .set({ paid_back_at: null, paid_back_by: null })
        .where("id", "=", withdrawalId)
        .execute();
    }
    const details = { before: { status: ticket.status }, after: { status } };
    await recordAudit(tx, { actor, action: `inbox.${status}`, subject: ticketId, details });
    return { ok: true } as const;
  });
}

/** Withdrawals and their tickets stay for the books, without texts about the player. Reports quote
 * what the player wrote, so they go. */
export async function deleteTickets(tx: Tx, userId: string): Promise<void> {
  await tx
    .deleteFrom("support_messages")
    .where("user_id", "=", userId)
    .where("kind", "in", ["message", "report"])
    .execute();
  await tx.deleteFrom("support_messages").where("reported_user_id", "=", userId).execute();
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
