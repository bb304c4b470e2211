import { z } from "zod";
import { line as typedLine, lines } from "#app/platform/fields.ts";
import { completeAddress, webAddress } from "#app/platform/web-address.ts";
import {
  ADDRESS_MAX,
  CITY_MAX,
  DESCRIPTION_MAX,
  LINK_MAX,
  NAME_MAX,
  PLAYER_NOTES_MAX,
} from "./rules.ts";

const line = typedLine.transform((value) => value.replace(/\s+/g, " "));

const required = (name: string, max: number) =>
  line.pipe(z.string().min(1, `${name} is required`).check(atMost(name, max)));

const link = (name: string) =>
  line
    .transform(completeAddress)
    .pipe(z.string().check(atMost(name, LINK_MAX)))
    .refine(
      (address) => address === "" || webAddress(address) !== null,
      `${name} must be a web address, such as https://venue.example`,
    )
    .transform((address) => address || null);

export const venueInput = z.object({
  name: required("Name", NAME_MAX),
  city: required("City", CITY_MAX),
  address: line
    .pipe(z.string().check(atMost("Address", ADDRESS_MAX)))
    .transform((address) => address || null),
  description: lines.pipe(z.string().check(atMost("Description", DESCRIPTION_MAX))),
  playerNotes: lines.pipe(z.string().check(atMost("Notes for players", PLAYER_NOTES_MAX))),
  mapsUrl: link("Map link"),
  website: link("Website"),
});
export type VenueInput = z.infer<typeof venueInput>;

// Counts code points, as PostgreSQL does.
function atMost(name: string, max: number) {
  return z.refine<string>(
    (text) => [...text].length <= max,
    `${name} can be at most ${max.toLocaleString("en-GB")} characters`,
  );
}
