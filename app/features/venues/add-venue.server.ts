import type { Db } from "#app/platform/db.server.ts";
import type { NewVenue } from "#app/platform/schema.ts";

/** Adds a venue and answers its id. */
export async function addVenue(db: Db, venue: NewVenue): Promise<string> {
  const { id } = await db
    .insertInto("venues")
    .values(venue)
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}
