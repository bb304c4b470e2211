import type { Difference } from "#app/forms/form-result.ts";
import type { AdminVenue } from "#app/features/venues/admin-venues.server.ts";

const LABELS = {
  name: "Name",
  city: "City",
  address: "Address",
  description: "Description",
  mapsUrl: "Map link",
  website: "Website",
};

/** The texts of the form. */
export type VenueValues = Record<keyof typeof LABELS, string>;

/** What a refused form is answered with. */
export interface VenueAnswer {
  values: VenueValues;
  errors?: Record<string, string>;
  /** Why the form as a whole was refused. */
  refusal?: string;
  differences?: Difference[];
}

const NAMES = Object.keys(LABELS) as (keyof VenueValues)[];

/** The form of a stored venue. */
export function valuesOf(venue: AdminVenue): VenueValues {
  return textsOf((name) => venue[name]);
}

/** The form as it was sent, or an empty one. */
export function postedValues(fields: Record<string, string> = {}): VenueValues {
  return textsOf((name) => fields[name]);
}

/** What saving these texts would write over. */
export function venueDifferences(current: AdminVenue, values: VenueValues): Difference[] {
  const theirs = valuesOf(current);
  return NAMES.map((name) => ({
    label: LABELS[name],
    theirs: theirs[name],
    // Browsers send a line's end as two letters.
    yours: values[name].replaceAll("\r\n", "\n").trim(),
  })).filter((each) => each.theirs !== each.yours);
}

function textsOf(read: (name: keyof VenueValues) => string | null | undefined): VenueValues {
  return Object.fromEntries(NAMES.map((name) => [name, read(name) ?? ""])) as VenueValues;
}
