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
import { NOTHING_SAVED } from "#app/forms/messages.ts";
import { adminOf, failNew, fieldDiff, versionOf } from "#app/routes/admin/admin-action.server.ts";
import type { Route as EditRoute } from "./+types/edit";
import type { Route as NewRoute } from "./+types/new";

const LABELS = {
  name: "Name",
  city: "City",
  address: "Address",
  description: "Description",
  playerNotes: "Notes for players",
  mapsUrl: "Map link",
  website: "Website",
};
const FIELDS = Object.keys(LABELS) as (keyof typeof LABELS)[];

export type VenueValues = Record<keyof typeof LABELS, string>;

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

async function create(args: NewRoute.ActionArgs & Posted) {
  const { db, actor, done } = adminOf(args);
  const input = parseForm(venueInput, args.fields);
  const { venueId = "" } = args.fields;
  const created = await createVenue(db, { venueId, input, actor });
  if (!created.ok) return failNew(created.reason, "added another venue");
  return done(`/admin/venues/${venueId}/photos`, "Venue added", "Now add its photos.");
}

async function edit(args: EditRoute.ActionArgs & Posted) {
  const { db, actor, done } = adminOf(args);
  const { fields, params } = args;
  const { venueId } = params;
  const input = parseForm(venueInput, fields);
  const version = versionOf(fields);
  const edited = await editVenue(db, { venueId, version, input, actor });
  if (edited.ok) return done(`/admin/venues/${venueId}`, "Venue saved");
  if (edited.reason === "gone") return fail(404, { formError: GONE });
  const differences = fieldDiff(LABELS, toVenueValues(edited.current), fields);
  return fail(409, { conflict: { version: edited.current.version, differences } });
}

async function hideOrShow(args: EditRoute.ActionArgs & Posted) {
  const { db, actor, done } = adminOf(args);
  const isHidden = args.fields.intent === "hide";
  const isThere = await hideVenue(db, { venueId: args.params.venueId, isHidden, actor });
  if (!isThere) return fail(404, { formError: GONE });
  // Not back to the form, which may hold older values than the venue.
  return done("/admin/venues", isHidden ? "Venue hidden" : "Venue shown again");
}

export const GONE = "There is no such venue.";
