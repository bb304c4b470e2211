import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { hasEnded, lockLetter, setStatus } from "./lock-letter.server.ts";

interface PaidBack {
  letterId: string;
  actor: string;
  now: Date;
}

export type PaidBackResult =
  | { ok: true }
  /** "ended": it was refused or taken back. */
  | { ok: false; reason: "no-withdrawal" | "ended" };

/**
 * Notes that the money of a withdrawal was refunded at Stripe, which is done with it. It moves no
 * money and no credits, which are out of the wallet already. Repeated it changes nothing.
 */
export async function markPaidBack(
  db: Db,
  { letterId, actor, now }: PaidBack,
): Promise<PaidBackResult> {
  return db.transaction().execute(async (tx) => {
    const letter = await lockLetter(tx, letterId);
    if (!letter?.withdrawalId) return { ok: false, reason: "no-withdrawal" } as const;
    if (await hasEnded(tx, letter.withdrawalId)) return { ok: false, reason: "ended" } as const;
    if (letter.status === "done") return { ok: true } as const;
    const { amount_eur } = await tx
      .updateTable("withdrawals")
      .set({ paid_back_at: now, paid_back_by: actor })
      .where("id", "=", letter.withdrawalId)
      .returning("amount_eur")
      .executeTakeFirstOrThrow();
    await setStatus(tx, letter, "done");
    const details = {
      before: { status: letter.status },
      after: { status: "done", paidBackEur: amount_eur },
    };
    await recordDeed(tx, { actor, action: "inbox.paid-back", subject: letterId, details });
    return { ok: true } as const;
  });
}
