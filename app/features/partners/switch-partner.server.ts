import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { lockPartner } from "./partners.server.ts";

interface Switch {
  partnerId: string;
  isActive: boolean;
  actor: string;
}

/** Shows a partner on the front page, or no longer. False where there is no such partner. */
export async function switchPartner(
  db: Db,
  { partnerId, isActive, actor }: Switch,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const current = await lockPartner(tx, partnerId);
    if (!current) return false;
    if (current.isActive === isActive) return true;
    await tx
      .updateTable("partners")
      .set({ is_active: isActive })
      .where("id", "=", partnerId)
      .execute();
    const details = { before: { isActive: !isActive }, after: { isActive } };
    await recordDeed(tx, { actor, action: "partner.switch", subject: partnerId, details });
    return true;
  });
}
