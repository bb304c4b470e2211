import { sql } from "kysely";
import type { Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { LetterKind, LetterStatus } from "./inbox-filter.ts";

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
