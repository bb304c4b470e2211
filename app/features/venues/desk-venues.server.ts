import { sql } from "kysely";
import { readCursor, writeCursor } from "#app/platform/cursor.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { VenueInput } from "./venue-input.ts";

export interface VenueLine {
  id: string;
  name: string;
  city: string;
  photoUrl: string | null;
  photoCount: number;
  isHidden: boolean;
}

interface Page {
  /** Part of a name or of a city; empty for all. */
  search: string;
  /** Where the page begins, as the page before it has said; null for the first. */
  after: string | null;
  limit: number;
}

/** A page of all venues by name, hidden ones too. One query. */
export async function listDeskVenues(
  db: Db,
  { search, after, limit }: Page,
): Promise<{ venues: VenueLine[]; next: string | null }> {
  let query = db
    .selectFrom("venues")
    .select([
      "id",
      "name",
      "city",
      sql<string | null>`photo_urls[1]`.as("photoUrl"),
      sql<number>`cardinality(photo_urls)`.as("photoCount"),
      "is_hidden as isHidden",
    ])
    .orderBy("name")
    .orderBy("id")
    .limit(limit + 1);
  const [name, id] = readCursor(after, 2) ?? [];
  if (name !== undefined && isId(id)) {
    query = query.where(sql<boolean>`(name, id) > (${name}, ${id}::uuid)`);
  }
  if (search) {
    const part = `%${search.replace(/[\\%_]/g, "\\$&")}%`;
    query = query.where((eb) => eb.or([eb("name", "ilike", part), eb("city", "ilike", part)]));
  }
  const rows = await query.execute();
  const venues = rows.slice(0, limit);
  const last = rows.length > limit ? venues.at(-1) : undefined;
  return { venues, next: last ? writeCursor([last.name, last.id]) : null };
}

/** A venue as the desk sees it. */
export interface DeskVenue {
  id: string;
  name: string;
  city: string;
  address: string | null;
  description: string;
  mapsUrl: string | null;
  website: string | null;
  photos: VenuePhoto[];
  isHidden: boolean;
  /** Counts its edits. */
  version: number;
}

export interface VenuePhoto {
  url: string;
  /** What it shows, for those who do not see it; may be empty. */
  alt: string;
}

/** A venue by its id; null where it is unknown or no id at all. */
export async function findDeskVenue(db: Db, venueId: string): Promise<DeskVenue | null> {
  if (!isId(venueId)) return null;
  const row = await select(db, venueId).executeTakeFirst();
  return row ? inPhotos(row) : null;
}

/** A venue, locked until the transaction ends. */
export async function lockVenue(tx: Tx, venueId: string): Promise<DeskVenue | null> {
  if (!isId(venueId)) return null;
  const row = await select(tx, venueId).forUpdate().executeTakeFirst();
  return row ? inPhotos(row) : null;
}

/** What the form of a venue sends of it. */
export function factsOf(venue: DeskVenue): VenueInput {
  const { name, city, address, description, mapsUrl, website } = venue;
  return { name, city, address, description, mapsUrl, website };
}

const select = (db: Db, venueId: string) =>
  db
    .selectFrom("venues")
    .select([
      "id",
      "name",
      "city",
      "address",
      "description",
      "maps_url as mapsUrl",
      "website",
      "photo_urls as urls",
      "photo_alts as alts",
      "is_hidden as isHidden",
      "version",
    ])
    .where("id", "=", venueId);

/** An edit by SQL may leave fewer texts than photos. */
function inPhotos<T extends { urls: string[]; alts: string[] }>({ urls, alts, ...venue }: T) {
  return { ...venue, photos: urls.map((url, index) => ({ url, alt: alts[index] ?? "" })) };
}
