import { recordDeed } from "../../platform/audit.server.ts";
import type { Db } from "../../platform/db.server.ts";
import { lockLetter, setStatus } from "./lock-letter.server.ts";

interface PaidBack {
  letterId: string;
  actor: string;
  now: Date;
}

/**
 * Notes that the money of a withdrawal was refunded at Stripe, which is done with it. It moves no
 * money and no credits: those go when Stripe tells the refund. Repeated it changes nothing; false
 * where the letter is no withdrawal.
 */
export async function markPaidBack(db: Db, { letterId, actor, now }: PaidBack): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const letter = await lockLetter(tx, letterId);
    if (!letter?.withdrawalId) return false;
    if (letter.status === "done") return true;
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
    return true;
  });
}
