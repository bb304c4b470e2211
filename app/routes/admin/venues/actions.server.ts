import {
  type AdminVenue,
  createVenue,
  editVenue,
  hideVenue,
} from "#app/features/venues/admin-venues.server.ts";
import { venueInput } from "#app/features/venues/input.ts";
import {
  fail,
  formAction,
  formActions,
  parseForm,
  type Posted,
} from "#app/forms/form-action.server.ts";
import type { Difference } from "#app/forms/form-result.ts";
import { NOTHING_SAVED } from "#app/forms/messages.ts";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import type { Route as EditRoute } from "./+types/edit";
import type { Route as NewRoute } from "./+types/new";

const LABELS = {
  name: "Name",
  city: "City",
  address: "Address",
  description: "Description",
  mapsUrl: "Map link",
  website: "Website",
};
const FIELDS = Object.keys(LABELS) as (keyof typeof LABELS)[];

export type VenueValues = Record<keyof typeof LABELS, string>;

/** The texts of a venue as its form edits them. */
export function toVenueValues(venue: AdminVenue): VenueValues {
  return Object.fromEntries(FIELDS.map((name) => [name, venue[name] ?? ""])) as VenueValues;
}

export function photoCount(count: number): string {
  if (count === 0) return "no photos";
  return count === 1 ? "1 photo" : `${count} photos`;
}

const SAVE_FAILED = "Failed to save venue";
const keep = [...FIELDS, "version"];

export const createAction = formAction(
  { failed: "Failed to add venue", formError: NOTHING_SAVED, keep },
  create,
);

export const editAction = formActions({
  save: { failed: SAVE_FAILED, formError: NOTHING_SAVED, keep, run: edit },
  hide: { failed: "Failed to hide venue", run: hideOrShow },
  show: { failed: "Failed to show venue", run: hideOrShow },
});

async function create({ context, fields }: NewRoute.ActionArgs & Posted) {
  const { db, env } = context.get(appContext);
  const { userId: actor } = context.get(viewerContext);
  const input = parseForm(venueInput, fields);
  const { venueId = "" } = fields;
  const created = await createVenue(db, { venueId, input, actor });
  if (created.ok) {
    return redirectWithToast(env, `/admin/venues/${venueId}/photos`, {
      title: "Venue added",
      description: "Now add its photos.",
    });
  }
  if (created.reason === "no-id") {
    return fail(400, { formError: "The form was not complete. Please try again." });
  }
  const formError = "This form has added another venue before. Send it again for one more.";
  return fail(409, { formError });
}

async function edit({ context, params: { venueId }, fields }: EditRoute.ActionArgs & Posted) {
  const { db, env } = context.get(appContext);
  const { userId: actor } = context.get(viewerContext);
  const input = parseForm(venueInput, fields);
  const version = Number(fields.version);
  const edited = await editVenue(db, { venueId, version, input, actor });
  if (edited.ok) {
    return redirectWithToast(env, `/admin/venues/${venueId}`, { title: "Venue saved" });
  }
  if (edited.reason === "gone") return fail(404, { formError: GONE });
  const differences = differencesOf(toVenueValues(edited.current), fields);
  return fail(409, { conflict: { version: edited.current.version, differences } });
}

async function hideOrShow({ context, params, fields }: EditRoute.ActionArgs & Posted) {
  const { db, env } = context.get(appContext);
  const { userId: actor } = context.get(viewerContext);
  const isHidden = fields.intent === "hide";
  const isThere = await hideVenue(db, { venueId: params.venueId, isHidden, actor });
  if (!isThere) return fail(404, { formError: GONE });
  const title = isHidden ? "Venue hidden" : "Venue shown again";
  // Not back to the form: what it holds may be older than the venue.
  return redirectWithToast(env, "/admin/venues", { title });
}

/** The page itself says that it is not there. */
export const GONE = "There is no such venue.";

function differencesOf(theirs: VenueValues, fields: Record<string, string>): Difference[] {
  return FIELDS.map((name) => ({
    label: LABELS[name],
    theirs: theirs[name],
    // Browsers send a line end as two characters.
    yours: (fields[name] ?? "").replaceAll("\r\n", "\n").trim(),
  })).filter((each) => each.theirs !== each.yours);
}
