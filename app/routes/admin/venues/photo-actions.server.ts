import { openFiles } from "#app/platform/files.server.ts";
import type { VenuePhoto } from "#app/features/venues/admin-venues.server.ts";
import { addPhotos, arrangePhotos, type PhotoProblem } from "#app/features/venues/photos.server.ts";
import { ALT_MAX, PHOTOS_MAX } from "#app/features/venues/rules.ts";
import { fail, FieldError, formActions, type Posted } from "#app/forms/form-action.server.ts";
import type { Difference } from "#app/forms/form-result.ts";
import { textsOf } from "#app/forms/form-fields.server.ts";
import { oneLine } from "#app/platform/text.ts";
import { adminOf, versionOf } from "#app/routes/admin/admin-action.server.ts";
import type { Route } from "./+types/photos";
import { GONE, photoCount } from "./actions.server.ts";

export const photosAction = formActions({
  upload: { failed: "Failed to add photos", isRepeatUnsafe: true, run: upload },
  arrange: {
    failed: "Failed to save photos",
    // By URL, since the list may have changed.
    keep: ({ form }) => Object.fromEntries(postedPhotos(form).map(({ url, alt }) => [url, alt])),
    run: arrange,
  },
});

type Args = Route.ActionArgs & Posted;

async function upload(args: Args) {
  const { db, env, actor, done } = adminOf(args);
  const { venueId } = args.params;
  const files = args.form
    .getAll("photos")
    .filter((each) => each instanceof File && each.name !== "");
  if (files.length === 0) {
    const fieldErrors = { photos: "Please choose one or more photos." };
    return fail(422, { title: "No photo was added", fieldErrors });
  }
  const sent = (files as File[]).map((file) => ({
    name: file.name,
    size: file.size,
    read: async () => Buffer.from(await file.arrayBuffer()),
  }));
  const result = await addPhotos({ db, files: openFiles(env) }, { venueId, sent, actor });
  if (!result.ok) return fail(404, { formError: GONE });
  const { added, rejected: failed } = result;
  if (failed.length === 0) {
    return done(`/admin/venues/${venueId}/photos`, `${photoCount(added)} added`);
  }
  // All belong to one field; the keys only keep them apart.
  const messages = failed.map(({ name, reason }) => `“${name}” ${PROBLEMS[reason]}`);
  const fieldErrors = Object.fromEntries(messages.map((message) => [message, message]));
  // A status of 200 makes the router load the list again.
  return fail(added > 0 ? 200 : 422, { title: addedText(added, failed.length), fieldErrors });
}

const PROBLEMS: Record<PhotoProblem, string> = {
  "not-an-image": "is not a JPG or PNG picture.",
  "too-large": "is larger than 10 MB.",
  unreadable: "cannot be read, or is larger than 25 megapixels.",
  busy: "was not added: many pictures are being prepared. Please try it again in a moment.",
  "too-many": `was not added: a venue has at most ${PHOTOS_MAX} photos.`,
};

function addedText(added: number, failed: number): string {
  if (added === 0) return failed === 1 ? "The photo was not added" : "No photo was added";
  return `${photoCount(added)} added, ${failed} not`;
}

async function arrange(args: Args) {
  const { db, env, actor, done } = adminOf(args);
  const { venueId } = args.params;
  const { photos, title, fragment } = changedPhotos(args.form);
  const version = versionOf(args.fields);
  const change = { venueId, version, photos, actor };
  const result = await arrangePhotos({ db, files: openFiles(env) }, change);
  if (result.ok) return done(`/admin/venues/${venueId}/photos${fragment}`, title);
  if (result.reason === "gone") return fail(404, { formError: GONE });
  const differences = photoDifferences(result.current.photos, photos);
  return fail(409, { conflict: { version: result.current.version, differences } });
}

// The photos in the order that the pressed button gives them: `change` is "save", or for the third
// photo "up:2". `fragment` leads the browser to a moved photo.
function changedPhotos(form: FormData) {
  const photos = postedPhotos(form);
  checkAlts(photos);
  const change = String(form.get("change"));
  const [, kind, at] = /^(up|down|remove):(\d{1,2})$/.exec(change) ?? [];
  if (!kind) return { photos, title: "Photos saved", fragment: "" };
  const from = Number(at);
  const moved = photos.splice(from, 1);
  if (kind === "remove") return { photos, title: "Photo removed", fragment: "" };
  const to = Math.min(Math.max(from + (kind === "up" ? -1 : 1), 0), photos.length);
  photos.splice(to, 0, ...moved);
  return { photos, title: `Photo moved to place ${to + 1}`, fragment: `#photo-${to + 1}` };
}

function postedPhotos(form: FormData): VenuePhoto[] {
  const alts = textsOf(form, "alt");
  return textsOf(form, "url").map((url, index) => ({
    ...{ url, alt: oneLine(alts[index] ?? "").replace(/\s+/g, " ") },
  }));
}

function checkAlts(photos: VenuePhoto[]) {
  const errors = photos.flatMap(({ alt }, index) => {
    if ([...alt].length <= ALT_MAX) return [];
    const message = `The description of photo ${index + 1} can be at most ${ALT_MAX} characters`;
    return [[`alt-${index + 1}`, message] as const];
  });
  if (errors.length > 0) throw new FieldError(Object.fromEntries(errors));
}

function photoDifferences(theirs: VenuePhoto[], yours: VenuePhoto[]): Difference[] {
  const length = Math.max(theirs.length, yours.length);
  return Array.from({ length }, (_, index) => ({
    label: `Photo ${index + 1}`,
    theirs: describe(theirs[index], yours),
    yours: describe(yours[index], theirs),
  })).filter((each) => each.theirs !== each.yours);
}

/** By description, since a URL says nothing; marks photos that the other side lacks. */
function describe(photo: VenuePhoto | undefined, others: VenuePhoto[]): string {
  if (!photo) return "none";
  const text = photo.alt || "no description";
  return others.some(({ url }) => url === photo.url) ? text : `${text} (only here)`;
}
