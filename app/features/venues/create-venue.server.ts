import { recordDeed } from "../../platform/audit.server.ts";
import type { Db } from "../../platform/db.server.ts";
import type { VenueInput } from "./venue-input.ts";

/** An admin's new venue, still without photos. Answers its id. */
export async function createVenue(
  db: Db,
  { input, actor }: { input: VenueInput; actor: string },
): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const { mapsUrl: maps_url, ...columns } = input;
    const { id } = await tx
      .insertInto("venues")
      .values({ ...columns, maps_url })
      .returning("id")
      .executeTakeFirstOrThrow();
    const details = { before: null, after: input };
    await recordDeed(tx, { actor, action: "venue.create", subject: id, details });
    return id;
  });
}
