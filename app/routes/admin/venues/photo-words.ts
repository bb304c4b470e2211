import type { PhotoProblem } from "#app/features/venues/photos.server.ts";
import type { VenuePhoto } from "#app/features/venues/admin-venues.server.ts";
import { PHOTOS_MAX } from "#app/features/venues/rules.ts";
import type { Difference } from "#app/forms/form-result.ts";

export function photoCount(count: number): string {
  if (count === 0) return "no photos";
  return count === 1 ? "1 photo" : `${count} photos`;
}

/** What is wrong with a file, by its name. */
export function photoProblem({ name, reason }: { name: string; reason: PhotoProblem }): string {
  return `“${name}” ${PROBLEMS[reason]}`;
}

const PROBLEMS: Record<PhotoProblem, string> = {
  "not-an-image": "is not a JPG or PNG picture.",
  "too-large": "is larger than 10 MB.",
  unreadable: "cannot be read, or is larger than 25 megapixels.",
  busy: "was not added: many pictures are being prepared. Please try it again in a moment.",
  "too-many": `was not added: a venue has at most ${PHOTOS_MAX} photos.`,
};

/** What became of the files where not all of them are photos now. */
export function addedText(added: number, refused: number): string {
  if (added === 0) return refused === 1 ? "The photo was not added" : "No photo was added";
  return `${photoCount(added)} added, ${refused} not`;
}

/** Where the photos that stand differ from those of the form. */
export function photoDifferences(theirs: VenuePhoto[], yours: VenuePhoto[]): Difference[] {
  const length = Math.max(theirs.length, yours.length);
  return Array.from({ length }, (_, index) => ({
    label: `Photo ${index + 1}`,
    theirs: describe(theirs[index], yours),
    yours: describe(yours[index], theirs),
  })).filter((each) => each.theirs !== each.yours);
}

/** In words, as an address says nothing; one that the other side lacks is marked. */
function describe(photo: VenuePhoto | undefined, others: VenuePhoto[]): string {
  if (!photo) return "none";
  const text = photo.alt || "no description";
  const place = others.findIndex(({ url }) => url === photo.url);
  return place < 0 ? `${text} (only here)` : text;
}
