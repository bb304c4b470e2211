import type { Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";

/**
 * Whether there is such a venue for new games. It is neither deleted nor hidden while the transaction
 * lasts.
 */
export async function hasVenue(tx: Tx, venueId: string): Promise<boolean> {
  if (!isId(venueId)) return false;
  const venue = tx.selectFrom("venues").select("is_hidden").where("id", "=", venueId).forShare();
  return (await venue.executeTakeFirst())?.is_hidden === false;
}
