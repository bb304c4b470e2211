import type { VenuePhoto } from "#app/features/venues/admin-venues.server.ts";
import { ALT_MAX } from "#app/features/venues/rules.ts";
import { oneLine } from "#app/platform/text.ts";

type Deed = "save" | "up" | "down" | "remove";

export interface PostedPhotos {
  /** As they stood in the form, described as was typed. */
  typed: VenuePhoto[];
  /** In the order that the pressed button makes of it. */
  wanted: VenuePhoto[];
  deed: Deed;
  /** Where the photo of the deed is now, from 0. */
  place: number;
  /** By the id of the field. */
  errors: Record<string, string>;
}

/** The list of photos as a form sends it: `url` and `alt` of each, and one `deed`, such as "up:2". */
export function readPhotos(form: FormData): PostedPhotos {
  const alts = textsOf(form, "alt");
  const typed = textsOf(form, "url").map((url, index) => ({ url, alt: lineOf(alts[index]) }));
  const [, deed = "save", at = "0"] = /^(up|down|remove):(\d{1,2})$/.exec(deedOf(form)) ?? [];
  const from = Number(at);
  const moves: Record<string, number> = { up: from - 1, down: from + 1 };
  const place = Math.min(Math.max(moves[deed] ?? from, 0), Math.max(typed.length - 1, 0));
  const [photo] = typed.slice(from, from + 1);
  const wanted = typed.filter((_, index) => index !== from || !photo);
  if (photo && deed !== "remove") wanted.splice(place, 0, photo);
  return { typed, wanted, deed: deed as Deed, place, errors: errorsOf(typed) };
}

export const altId = (index: number) => `alt-${index + 1}`;

function textsOf(form: FormData, name: string): string[] {
  return form.getAll(name).filter((value) => typeof value === "string");
}

function deedOf(form: FormData): string {
  const deed = form.get("deed");
  return typeof deed === "string" ? deed : "";
}

// As a line of the venue's own form.
function lineOf(text = ""): string {
  return oneLine(text).replace(/\s+/g, " ");
}

function errorsOf(photos: VenuePhoto[]): Record<string, string> {
  const long = photos.flatMap(({ alt }, index) => ([...alt].length > ALT_MAX ? [index] : []));
  return Object.fromEntries(
    long.map((index) => [
      altId(index),
      `The description of photo ${index + 1} can be at most ${ALT_MAX} characters`,
    ]),
  );
}
