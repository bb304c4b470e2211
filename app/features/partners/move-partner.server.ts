import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { type DeskPartner, lockPartners } from "./partners.server.ts";

interface Move {
  partnerId: string;
  direction: "up" | "down";
  actor: string;
}

/**
 * Moves a partner past its neighbour; at the end of the list nothing happens. Partners may share a
 * sort order, so that they are numbered anew from 1; those that keep their number are not
 * touched. False where there is no such partner.
 */
export async function movePartner(db: Db, { partnerId, direction, actor }: Move): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const partners = await lockPartners(tx);
    const from = partners.findIndex(({ id }) => id === partnerId);
    const to = direction === "up" ? from - 1 : from + 1;
    const [moved, neighbour] = [partners[from], partners[to]];
    if (!moved) return false;
    if (!neighbour) return true;
    partners[to] = moved;
    partners[from] = neighbour;
    await number(tx, partners);
    const details = { before: { sortOrder: moved.sortOrder }, after: { sortOrder: to + 1 } };
    await recordDeed(tx, { actor, action: "partner.move", subject: partnerId, details });
    return true;
  });
}

async function number(tx: Tx, partners: DeskPartner[]) {
  for (const [index, { id, sortOrder }] of partners.entries()) {
    const sort_order = index + 1;
    if (sortOrder === sort_order) continue;
    await tx.updateTable("partners").set({ sort_order }).where("id", "=", id).execute();
  }
}
