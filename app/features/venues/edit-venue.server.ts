import { isDeepStrictEqual } from "node:util";
import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { type DeskVenue, factsOf, lockVenue } from "./desk-venues.server.ts";
import type { VenueInput } from "./venue-input.ts";

interface Edit {
  venueId: string;
  /** Of what was edited. */
  version: number;
  input: VenueInput;
  actor: string;
}

export type VenueEditAnswer =
  | { ok: true }
  | { ok: false; reason: "gone" }
  | { ok: false; reason: "changed"; current: DeskVenue };

/** Changes a venue's facts; refused as "changed" where somebody else has saved it meanwhile. */
export async function editVenue(
  db: Db,
  { venueId, version, input, actor }: Edit,
): Promise<VenueEditAnswer> {
  return db.transaction().execute(async (tx) => {
    const current = await lockVenue(tx, venueId);
    if (!current) return { ok: false, reason: "gone" } as const;
    const before = factsOf(current);
    if (isDeepStrictEqual(before, input)) return { ok: true } as const;
    if (current.version !== version) return { ok: false, reason: "changed", current } as const;
    const { mapsUrl: maps_url, ...columns } = input;
    await tx
      .updateTable("venues")
      .set({ ...columns, maps_url })
      .where("id", "=", venueId)
      .execute();
    const details = { before, after: input };
    await recordDeed(tx, { actor, action: "venue.edit", subject: venueId, details });
    return { ok: true } as const;
  });
}
