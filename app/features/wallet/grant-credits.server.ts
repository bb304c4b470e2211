import { recordDeed } from "../../platform/audit.server.ts";
import type { Db } from "../../platform/db.server.ts";
import { creditsText } from "../../platform/money.ts";
import { credit, deductByAdjustment } from "./ledger.server.ts";

/**
 * Corrects a balance by a ledger entry, up or down, and records who did it and why. Answers false
 * and changes nothing where the balance would fall below 0. `key` makes a repeat harmless.
 */
export async function grantCredits(
  db: Db,
  grant: { userId: string; amountCents: number; reason: string; actor: string; key: string },
): Promise<boolean> {
  const { userId, amountCents, reason, actor } = grant;
  const entry = {
    userId,
    amountCents: Math.abs(amountCents),
    notes: reason,
    businessKey: `grant:${grant.key}`,
  };
  return db.transaction().execute(async (tx) => {
    if (amountCents < 0) {
      if (!(await deductByAdjustment(tx, entry))) return false;
    } else {
      await credit(tx, "adjustment", entry, { source: "adjustment" });
    }
    const details = { credits: creditsText(amountCents), reason };
    await recordDeed(tx, { actor, action: "wallet.grant", subject: userId, details });
    return true;
  });
}
