import { z } from "zod";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { defineEntity, findRow, lockRow } from "#app/platform/entity.server.ts";
import { atMost, line, lines, link, requiredLine } from "#app/platform/fields.ts";
import { CITIES, CITY_MAX, NAME_MAX, PLAYER_NOTES_MAX } from "./rules.ts";

const spaced = line.transform((text) => text.replace(/\s+/g, " "));
const webLink = (label: string) =>
  link(atMost(label, 500), `${label} must be a web address, such as https://venue.example`);

export const venues = defineEntity("venue", {
  fields: {
    name: {
      ...{ label: "Name", isRequired: true, maxLength: NAME_MAX },
      schema: requiredLine("Name", NAME_MAX, spaced),
    },
    city: {
      ...{ label: "City", isRequired: true, maxLength: CITY_MAX, suggestions: CITIES },
      hint: "Helsinki, Espoo, Vantaa or another.",
      schema: requiredLine("City", CITY_MAX, spaced),
    },
    address: {
      ...{ label: "Address", hint: "Street and number.", maxLength: 200 },
      schema: spaced
        .pipe(z.string().check(atMost("Address", 200)))
        .transform((address) => address || null),
    },
    description: {
      ...{ label: "Description", rows: 6, maxLength: 4_000 },
      schema: lines.pipe(z.string().check(atMost("Description", 4_000))),
    },
    playerNotes: {
      ...{ label: "Notes for players", rows: 4, maxLength: PLAYER_NOTES_MAX },
      hint: "How to get in, where to change, the code of the gate. Only players of a game here see this.",
      schema: lines.pipe(z.string().check(atMost("Notes for players", PLAYER_NOTES_MAX))),
    },
    mapsUrl: {
      ...{ label: "Map link", inputMode: "url", maxLength: 500 },
      hint: "Such as https://maps.example/hall. Players see it as Directions.",
      schema: webLink("Map link"),
    },
    website: {
      ...{ label: "Website", inputMode: "url", maxLength: 500 },
      schema: webLink("Website"),
    },
  },
  more: ["isHidden", "photoUrls", "photoAlts"],
  order: ["name"],
  searched: ["name", "city"],
});

export type AdminVenue = NonNullable<Awaited<ReturnType<typeof findAdminVenue>>>;
export type VenuePhoto = AdminVenue["photos"][number];

type Row = NonNullable<typeof venues.row>;
export type VenueInput = z.infer<typeof venues.input>;

export async function findAdminVenue(db: Db, venueId: string) {
  const row = await findRow(db, venues, venueId);
  return row && withPhotos(row);
}

export async function lockVenue(tx: Tx, venueId: string) {
  const row = await lockRow(tx, venues, venueId);
  return row && withPhotos(row);
}

/** The photos as one list; after an edit by SQL there may be fewer texts than photos. */
export function withPhotos({ photoUrls, photoAlts, ...venue }: Row) {
  return {
    ...venue,
    photos: photoUrls.map((url, index) => ({ url, alt: photoAlts[index] ?? "" })),
  };
}
