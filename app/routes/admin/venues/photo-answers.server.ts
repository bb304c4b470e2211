import { data, redirect } from "react-router";
import { addPhotos, arrangePhotos } from "#app/features/venues/photos.server.ts";
import type { VenuePhoto } from "#app/features/venues/admin-venues.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import type { Difference } from "#app/forms/form-result.ts";
import { type PostedPhotos, readPhotos } from "./arrange-form.ts";
import { addedText, photoCount, photoDifferences, photoProblem } from "./photo-words.ts";

export interface UploadAnswer {
  form: "upload";
  title: string;
  problems: string[];
}

export interface ListAnswer {
  form: "list";
  /** As they were described in the form. */
  typed: VenuePhoto[];
  errors?: Record<string, string>;
  differences?: Difference[];
}

interface Who {
  venueId: string;
  actor: string;
}

const NONE_CHOSEN = "Please choose one or more photos.";

export async function answerAdd({ db, env }: App, who: Who, form: FormData) {
  const files = form.getAll("photos").filter((each) => each instanceof File && each.name !== "");
  if (files.length === 0) return refuseUpload("No photo was added", [NONE_CHOSEN], 422);
  const sent = (files as File[]).map((file) => ({
    name: file.name,
    size: file.size,
    read: async () => Buffer.from(await file.arrayBuffer()),
  }));
  const answer = await addPhotos({ db, dataDir: env.dataDir }, { ...who, sent });
  if (!answer.ok) return refuseUpload("This venue is gone", ["Nothing was added."], 404);
  const { added, refused } = answer;
  if (refused.length === 0) return done(env, who, `${photoCount(added)} added`);
  const title = addedText(added, refused.length);
  // A success where some were: the list is read again.
  return refuseUpload(title, refused.map(photoProblem), added > 0 ? 200 : 422);
}

function refuseUpload(title: string, problems: string[], status: number) {
  return data<UploadAnswer | ListAnswer>({ form: "upload", title, problems }, { status });
}

export async function answerArrange({ db, env }: App, who: Who, form: FormData) {
  const posted = readPhotos(form);
  const { typed, wanted, errors } = posted;
  if (Object.keys(errors).length > 0) return refuseList({ typed, errors }, 422);
  const version = Number(form.get("version"));
  const arrangement = { ...who, version, photos: wanted };
  const answer = await arrangePhotos({ db, dataDir: env.dataDir }, arrangement);
  if (answer.ok) return done(env, who, arrangedText(posted), fragmentOf(posted));
  if (answer.reason === "gone") return refuseList({ typed }, 404);
  const differences = photoDifferences(answer.current.photos, wanted);
  return refuseList({ typed, differences }, 409);
}

function refuseList(answer: Omit<ListAnswer, "form">, status: number) {
  return data<UploadAnswer | ListAnswer>({ form: "list", ...answer }, { status });
}

function arrangedText({ deed, place }: PostedPhotos): string {
  if (deed === "remove") return "Photo removed";
  return deed === "save" ? "Photos saved" : `Photo moved to place ${place + 1}`;
}

/** Where the browser goes on, without JavaScript: to the photo that was moved. */
function fragmentOf({ deed, place }: PostedPhotos): string {
  return deed === "up" || deed === "down" ? `#photo-${place + 1}` : "";
}

async function done(env: App["env"], { venueId }: Who, title: string, fragment = "") {
  const headers = { "Set-Cookie": await toastCookie(env, { title }) };
  return redirect(`/admin/venues/${venueId}/photos${fragment}`, { headers });
}
