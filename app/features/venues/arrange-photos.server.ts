import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { type DeskVenue, lockVenue, type VenuePhoto } from "./desk-venues.server.ts";
import { deletePhotos } from "./photo-files.server.ts";

interface Arrangement {
  venueId: string;
  /** Of what was arranged. */
  version: number;
  /** Photos that the venue has, in their new order; one that is left out is removed. */
  photos: VenuePhoto[];
  actor: string;
}

export type ArrangeAnswer =
  | { ok: true }
  | { ok: false; reason: "gone" }
  | { ok: false; reason: "changed"; current: DeskVenue };

/**
 * Orders, describes and removes a venue's photos; the first is the one on its card. The files of a
 * removed one are deleted once no venue names it. Refused as "changed" where somebody else has saved
 * the venue meanwhile.
 */
export async function arrangePhotos(
  { db, dataDir }: { db: Db; dataDir: string },
  arrangement: Arrangement,
): Promise<ArrangeAnswer> {
  const answer = await db.transaction().execute((tx) => arrange(tx, arrangement));
  if (!answer.ok) return answer;
  // Only now: had the transaction failed, the venue would name what is gone.
  await deletePhotos(dataDir, answer.orphans);
  return { ok: true };
}

async function arrange(tx: Tx, { venueId, version, photos, actor }: Arrangement) {
  const current = await lockVenue(tx, venueId);
  if (!current) return { ok: false, reason: "gone" } as const;
  if (isDeepStrictEqual(current.photos, photos)) return { ok: true as const, orphans: [] };
  const known = new Set(current.photos.map(({ url }) => url));
  if (current.version !== version || photos.some(({ url }) => !known.has(url))) {
    return { ok: false, reason: "changed", current } as const;
  }
  await tx
    .updateTable("venues")
    .set({ photo_urls: photos.map(({ url }) => url), photo_alts: photos.map(({ alt }) => alt) })
    .where("id", "=", venueId)
    .execute();
  const details = { before: { photos: current.photos }, after: { photos } };
  await recordDeed(tx, { actor, action: "venue.arrange-photos", subject: venueId, details });
  return { ok: true as const, orphans: await namedByNone(tx, [...known]) };
}

/** Those addresses that no venue names, this one included: the same photo may serve several. */
async function namedByNone(tx: Tx, urls: string[]): Promise<string[]> {
  const { rows } = await sql<{ url: string }>`
    select url from unnest(${urls}::text[]) as former (url)
    where not exists (select from venues where former.url = any (photo_urls))`.execute(tx);
  return rows.map(({ url }) => url);
}
