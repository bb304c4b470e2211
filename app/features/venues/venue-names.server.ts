import type { Db } from "#app/platform/db.server.ts";

export interface VenueName {
  id: string;
  name: string;
  city: string;
  /** Takes no new games. */
  isHidden: boolean;
}

/** Every venue by name, hidden ones too. */
export function listVenueNames(db: Db): Promise<VenueName[]> {
  return db
    .selectFrom("venues")
    .select(["id", "name", "city", "is_hidden as isHidden"])
    .orderBy("name")
    .orderBy("id")
    .execute();
}

/** Name and city of those venues, by their ids. */
export async function findVenueNames(db: Db, ids: string[]): Promise<Map<string, string>> {
  const venues = db.selectFrom("venues").select(["id", "name", "city"]).where("id", "in", ids);
  const rows = await venues.execute();
  return new Map(rows.map(({ id, name, city }) => [id, `${name}, ${city}`]));
}
