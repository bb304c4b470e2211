import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { LetterStatus } from "./inbox-filter.ts";
import { hasEnded, lockLetter, setStatus } from "./lock-letter.server.ts";

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
