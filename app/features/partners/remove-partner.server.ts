import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { deleteLogoFile } from "./change-logo.server.ts";
import { lockPartner } from "./partners.server.ts";

interface Removal {
  partnerId: string;
  actor: string;
}

/** Deletes a partner for good, with its logo's file. False where there is no such partner. */
export async function removePartner(
  { db, dataDir }: { db: Db; dataDir: string },
  { partnerId, actor }: Removal,
): Promise<boolean> {
  const gone = await db.transaction().execute(async (tx) => {
    const partner = await lockPartner(tx, partnerId);
    if (!partner) return null;
    await tx.deleteFrom("partners").where("id", "=", partnerId).execute();
    const { id: _, version: __, ...before } = partner;
    const details = { before, after: null };
    await recordDeed(tx, { actor, action: "partner.remove", subject: partnerId, details });
    return partner;
  });
  if (gone) await deleteLogoFile(dataDir, gone.logoUrl);
  return gone !== null;
}
