import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { lockVenue } from "./desk-venues.server.ts";

interface Hiding {
  venueId: string;
  isHidden: boolean;
  actor: string;
}

/**
 * Hides a venue from the players, or shows it again. Its games stay as they are; new ones cannot be
 * put there. False where there is no such venue.
 */
export async function hideVenue(db: Db, { venueId, isHidden, actor }: Hiding): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const current = await lockVenue(tx, venueId);
    if (!current) return false;
    if (current.isHidden === isHidden) return true;
    await tx.updateTable("venues").set({ is_hidden: isHidden }).where("id", "=", venueId).execute();
    const details = { before: { isHidden: !isHidden }, after: { isHidden } };
    await recordDeed(tx, { actor, action: "venue.hide", subject: venueId, details });
    return true;
  });
}
