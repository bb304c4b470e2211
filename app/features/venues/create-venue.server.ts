import { isDeepStrictEqual } from "node:util";
import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { factsOf, lockVenue } from "./desk-venues.server.ts";
import type { VenueInput } from "./venue-input.ts";

interface NewVenue {
  /** Made with the form, so that one that arrives twice makes one venue. */
  venueId: string;
  input: VenueInput;
  actor: string;
}

export type VenueCreateAnswer = { ok: true } | { ok: false; reason: "no-id" | "id-used" };

/**
 * An admin's new venue, still without photos. Refused as "id-used" where the form has made another
 * venue: a form that is gone back to may hold another one.
 */
export async function createVenue(
  db: Db,
  { venueId, input, actor }: NewVenue,
): Promise<VenueCreateAnswer> {
  if (!isId(venueId)) return { ok: false, reason: "no-id" };
  return db.transaction().execute(async (tx) => {
    const { mapsUrl: maps_url, ...columns } = input;
    const added = await tx
      .insertInto("venues")
      .values({ ...columns, maps_url, id: venueId })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (!added) {
      const made = await lockVenue(tx, venueId);
      const isSame = made && isDeepStrictEqual(factsOf(made), input);
      return isSame ? { ok: true } : { ok: false, reason: "id-used" };
    }
    const details = { before: null, after: input };
    await recordDeed(tx, { actor, action: "venue.create", subject: venueId, details });
    return { ok: true };
  });
}
