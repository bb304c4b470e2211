import type { Bib } from "#app/platform/schema.ts";

// The first four are what teams begin with.
const NAMES: Record<Bib, string> = {
  Yellow: "Yellow",
  Blue: "Blue",
  Orange: "Orange",
  Green: "Green",
  Red: "Red",
  White: "White",
  Black: "Black",
  None: "No bibs",
};

/** What a team can wear; 'None' plays in its own shirts. */
export const BIBS = Object.keys(NAMES) as Bib[];

export const bibName = (bib: Bib) => NAMES[bib];
