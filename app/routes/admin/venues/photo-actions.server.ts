import { openFiles } from "#app/platform/files.server.ts";
import type { VenuePhoto } from "#app/features/venues/admin-venues.server.ts";
import { addPhotos, arrangePhotos, type PhotoProblem } from "#app/features/venues/photos.server.ts";
import { ALT_MAX, photoCount, PHOTOS_MAX } from "#app/features/venues/rules.ts";
import { FieldError, formActions } from "#app/forms/form-action.server.ts";
import { rejected } from "#app/forms/form-rows.server.ts";
import type { Difference } from "#app/forms/form-result.ts";
import { textsOf } from "#app/forms/form-fields.server.ts";
import { oneLine } from "#app/platform/text.ts";
import { versionOf } from "#app/routes/admin/admin-action.server.ts";
import { adminRow } from "#app/routes/admin/admin-action.server.ts";
const gone = ["missing", "There is no such venue."] as const;

export const photosAction = formActions({
  upload: adminRow({
    ...{ failed: "Failed to add photos", isRepeatUnsafe: true },
    run: async ({ db, env, actor, form, params: { venueId = "" } }) => {
      const sent = sentPhotos(form);
      if (sent.length === 0) return rejected("none");
      const result = await addPhotos({ db, files: openFiles(env) }, { venueId, sent, actor });
      if (!result.ok || result.rejected.length === 0) return result;
      return { ...result, ok: false, reason: "rejected" } as const;
    },
    errors: {
      gone,
      none: [
        "invalid",
        {
          title: "No photo was added",
          fieldErrors: { photos: "Please choose one or more photos." },
        },
      ],
      rejected: ({ added, rejected }) => {
        // All belong to one field; the keys only keep them apart.
        const messages = rejected.map(({ name, reason }) => `“${name}” ${PROBLEMS[reason]}`);
        const fieldErrors = Object.fromEntries(messages.map((message) => [message, message]));
        const title = addedText(added, rejected.length);
        // Its status of 200 makes the router load the list again.
        return [added > 0 ? "ok" : "invalid", { title, fieldErrors }];
      },
    },
    done: ({ added }) => ({ title: `${photoCount(added)} added` }),
  }),
  arrange: adminRow({
    failed: "Failed to save photos",
    // By URL, since the list may have changed.
    keep: ({ form }) => Object.fromEntries(postedPhotos(form).map(({ url, alt }) => [url, alt])),
    input: ({ form }) => changedPhotos(form),
    run: ({ db, env, actor, fields, params: { venueId = "" }, input: { photos } }) => {
      const change = { venueId, version: versionOf(fields), photos, actor };
      return arrangePhotos({ db, files: openFiles(env) }, change);
    },
    errors: {
      gone,
      changed: ({ current: { version, photos } }, { input }) => {
        const differences = photoDifferences(photos, input.photos);
        return ["conflict", { conflict: { version, differences } }];
      },
    },
    done: (_, { input: { title, fragment }, url }) => ({ title, to: url.pathname + fragment }),
  }),
});

function sentPhotos(form: FormData) {
  const files = form.getAll("photos").filter((each) => each instanceof File && each.name !== "");
  return (files as File[]).map((file) => ({
    name: file.name,
    size: file.size,
    read: async () => Buffer.from(await file.arrayBuffer()),
  }));
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
