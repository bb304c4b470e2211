import { z } from "zod";
import { ADDRESS_MAX, CITY_MAX, DESCRIPTION_MAX, LINK_MAX, NAME_MAX, webAddress } from "./rules.ts";

/** One line of a form; a file, a repeated or a missing field counts as empty. */
const line = z.preprocess(
  // PostgreSQL keeps no NUL.
  (value) =>
    wellFormed(value)
      .replace(/[\p{Cc}\s]+/gu, " ")
      .trim(),
  z.string(),
);

/** A text of several lines, each ended as Unix does. */
const lines = z.preprocess(
  (value) =>
    wellFormed(value)
      .replace(/\r\n?/g, "\n")
      .replace(/[^\P{Cc}\n\t]/gu, "")
      .trim(),
  z.string(),
);

const required = (name: string, max: number) =>
  line.pipe(z.string().min(1, `${name} is required`).check(atMost(name, max)));

/** Empty, or the address of a web page. */
const link = (name: string) =>
  line
    .pipe(z.string().check(atMost(name, LINK_MAX)))
    .refine(
      (address) => address === "" || webAddress(address) !== null,
      `${name} must be a web address that begins with https:// or http://`,
    )
    .transform((address) => address || null);

/** What the form of a venue sends. */
export const venueInput = z.object({
  name: required("Name", NAME_MAX),
  city: required("City", CITY_MAX),
  address: line
    .pipe(z.string().check(atMost("Address", ADDRESS_MAX)))
    .transform((address) => address || null),
  description: lines.pipe(z.string().check(atMost("Description", DESCRIPTION_MAX))),
  mapsUrl: link("Map link"),
  website: link("Website"),
});
export type VenueInput = z.infer<typeof venueInput>;

/** In letters as people and PostgreSQL count them. */
function atMost(name: string, max: number) {
  return z.refine<string>(
    (text) => [...text].length <= max,
    `${name} can be at most ${max.toLocaleString("en-GB")} characters`,
  );
}

function wellFormed(value: unknown): string {
  return typeof value === "string" ? value.toWellFormed() : "";
}
