import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { lockLetter, type LockedLetter, setStatus } from "./lock-letter.server.ts";

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
