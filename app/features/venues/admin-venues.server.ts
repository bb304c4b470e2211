import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { recordAudit } from "#app/platform/audit.server.ts";
import { readCursor, writeCursor } from "#app/platform/cursor.server.ts";
import { type Db, hasWords, type Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { VenueInput } from "./input.ts";

/** All venues by name, hidden ones too; `after` is the `next` of the page before. One query. */
export async function listAdminVenues(
  db: Db,
  { search, after, limit }: { search: string; after: string | null; limit: number },
) {
  let query = db
    .selectFrom("venues")
    .select(["id", "name", "city", "is_hidden as isHidden"])
    .select(sql<string | null>`photo_urls[1]`.as("photoUrl"))
    .select(sql<number>`cardinality(photo_urls)`.as("photoCount"))
    .orderBy("name")
    .orderBy("id")
    .limit(limit + 1);
  const [name, id] = readCursor(after, 2) ?? [];
  if (name !== undefined && isId(id)) {
    query = query.where(sql<boolean>`(name, id) > (${name}, ${id}::uuid)`);
  }
  if (search) {
    query = query.where(hasWords(sql`name || ' ' || city`, search));
  }
  const rows = await query.execute();
  const venues = rows.slice(0, limit);
  const last = rows.length > limit ? venues.at(-1) : undefined;
  return { venues, next: last ? writeCursor([last.name, last.id]) : null };
}

export type AdminVenue = NonNullable<Awaited<ReturnType<typeof findAdminVenue>>>;
export type VenuePhoto = AdminVenue["photos"][number];

/** A venue as admins see it, `version` counting its edits; null where the id is unknown or no id. */
export const findAdminVenue = (db: Db, venueId: string) => findVenueToEdit(db, venueId, false);

export const lockVenue = (tx: Tx, venueId: string) => findVenueToEdit(tx, venueId, true);

async function findVenueToEdit(db: Db, venueId: string, isLocked: boolean) {
  if (!isId(venueId)) return null;
  const query = db
    .selectFrom("venues")
    .select(["id", "name", "city", "address", "description", "maps_url as mapsUrl", "website"])
    .select("player_notes as playerNotes")
    .select(["photo_urls as urls", "photo_alts as alts", "is_hidden as isHidden", "version"])
    .where("id", "=", venueId);
  const row = await (isLocked ? query.forUpdate() : query).executeTakeFirst();
  if (!row) return null;
  const { urls, alts, ...venue } = row;
  // After an edit by SQL there may be fewer texts than photos.
  return { ...venue, photos: urls.map((url, index) => ({ url, alt: alts[index] ?? "" })) };
}

/** "form-used" where the form, gone back to, has already created a different venue. */
export async function createVenue(
  db: Db,
  { venueId, input, actor }: { venueId: string; input: VenueInput; actor: string },
): Promise<{ ok: true } | { ok: false; reason: "no-id" | "form-used" }> {
  if (!isId(venueId)) return { ok: false, reason: "no-id" };
  return db.transaction().execute(async (tx) => {
    const added = await tx
      .insertInto("venues")
      .values({ id: venueId, ...columnsOf(input) })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (!added) {
      const existing = await lockVenue(tx, venueId);
      const isSame = existing && isDeepStrictEqual(inputOf(existing), input);
      return isSame ? { ok: true } : { ok: false, reason: "form-used" };
    }
    const details = { before: null, after: input };
    await recordAudit(tx, { actor, action: "venue.create", subject: venueId, details });
    return { ok: true };
  });
}

export type EditResult =
  | { ok: true }
  | { ok: false; reason: "gone" }
  | { ok: false; reason: "changed"; current: AdminVenue };

/** "changed" where somebody else has saved the venue since `version` was read. */
export async function editVenue(
  db: Db,
  edit: { venueId: string; version: number; input: VenueInput; actor: string },
): Promise<EditResult> {
  const { venueId, version, input, actor } = edit;
  return db.transaction().execute(async (tx) => {
    const current = await lockVenue(tx, venueId);
    if (!current) return { ok: false, reason: "gone" };
    const before = inputOf(current);
    if (isDeepStrictEqual(before, input)) return { ok: true };
    if (current.version !== version) return { ok: false, reason: "changed", current };
    await tx.updateTable("venues").set(columnsOf(input)).where("id", "=", venueId).execute();
    const details = { before, after: input };
    await recordAudit(tx, { actor, action: "venue.edit", subject: venueId, details });
    return { ok: true };
  });
}

function inputOf(venue: AdminVenue): VenueInput {
  const { name, city, address, description, playerNotes, mapsUrl, website } = venue;
  return { name, city, address, description, playerNotes, mapsUrl, website };
}

const columnsOf = ({ mapsUrl, playerNotes, ...columns }: VenueInput) => ({
  ...columns,
  maps_url: mapsUrl,
  player_notes: playerNotes,
});

/** Its games stay; new ones cannot be put there. False where there is no such venue. */
export async function hideVenue(
  db: Db,
  { venueId, isHidden, actor }: { venueId: string; isHidden: boolean; actor: string },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const current = await lockVenue(tx, venueId);
    if (!current) return false;
    if (current.isHidden === isHidden) return true;
    await tx.updateTable("venues").set({ is_hidden: isHidden }).where("id", "=", venueId).execute();
    const details = { before: { isHidden: !isHidden }, after: { isHidden } };
    await recordAudit(tx, { actor, action: "venue.hide", subject: venueId, details });
    return true;
  });
}
