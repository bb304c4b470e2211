import { openFiles } from "#app/platform/files.server.ts";
import { profileInput } from "#app/features/players/input.ts";
import { changePicture, removePicture } from "#app/features/players/pictures.server.ts";
import { editProfile } from "#app/features/players/profiles.server.ts";
import { NO_PICTURE, PICTURE_TOO_LARGE } from "#app/features/players/rules.ts";
import { claimReward } from "#app/features/rewards/rewards.server.ts";
import { REWARD_CENTS } from "#app/features/rewards/rules.ts";
import { fail, formActions, parseForm, type Posted } from "#app/forms/form-action.server.ts";
import { textsOf } from "#app/forms/form-fields.server.ts";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import { helsinkiDate } from "#app/platform/clock.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import type { SquareCrop } from "#app/platform/images/uploaded-images.server.ts";
import { creditsText } from "#app/platform/money.ts";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import type { Route } from "./+types/show";
import { PROFILE_FIELDS } from "./edit-dialog.tsx";
import { completeMore } from "./profile-view.server.ts";

type Args = Route.ActionArgs & Posted;

const EDIT_FAILED = "Failed to update profile. Please try again.";
const PICTURE_FAILED = "Failed to upload profile picture. Please try again.";
const CLAIM_FAILED = "Failed to claim reward. Please try again.";
const formError = "Nothing was changed.";

export const profileAction = formActions({
  "edit-profile": { failed: EDIT_FAILED, formError, keep: PROFILE_FIELDS, run: edit },
  picture: { failed: PICTURE_FAILED, formError, run: upload },
  "remove-picture": { failed: EDIT_FAILED, formError, run: remove },
  "claim-reward": { failed: CLAIM_FAILED, formError, run: claim },
});

async function edit({ context, fields, form }: Args) {
  const { db, env, now } = context.get(appContext);
  const { userId } = context.get(viewerContext);
  const schema = profileInput({ today: helsinkiDate(now()) });
  const input = parseForm(schema, { ...fields, sports: textsOf(form, "sports") });
  await editProfile(db, userId, input);
  const description = "Your profile has been successfully updated.";
  return redirectWithToast(env, "/profile", { title: "Profile updated", description });
}

async function upload({ context, form, fields }: Args) {
  const { db, env } = context.get(appContext);
  const { userId } = context.get(viewerContext);
  const file = form.get("picture");
  if (!(file instanceof File) || file.size === 0) {
    return fail(422, { fieldErrors: { picture: NO_PICTURE } });
  }
  const picture = { userId, bytes: Buffer.from(await file.arrayBuffer()), crop: cropOf(fields) };
  const changed = await changePicture({ db, files: openFiles(env) }, picture);
  if (changed.ok) {
    const toast = { title: "Profile picture updated successfully" };
    return redirectWithToast(env, "/profile", toast);
  }
  if (changed.reason === "busy") return fail(503, { formError });
  const [status, message] = PICTURE_ERRORS[changed.reason];
  return fail(status, { fieldErrors: { picture: message } });
}

const PICTURE_ERRORS = {
  "not-an-image": [422, NO_PICTURE],
  "too-large": [413, PICTURE_TOO_LARGE],
  unreadable: [422, "This image cannot be read, or is larger than 25 megapixels."],
} as const;

/** In percent of the picture; null, which crops the middle, if one is invalid. */
function cropOf({ cropX, cropY, cropWidth }: Record<string, string>): SquareCrop | null {
  const [x, y, width] = [cropX, cropY, cropWidth].map(percent);
  if (x === undefined || y === undefined || !width) return null;
  return { x, y, width };
}

function percent(value = ""): number | undefined {
  if (!/^\d{1,3}(\.\d{1,20})?$/.test(value)) return undefined;
  return Number(value) <= 100 ? Number(value) : undefined;
}

async function remove({ context }: Args) {
  const { db, env } = context.get(appContext);
  await removePicture({ db, files: openFiles(env) }, context.get(viewerContext).userId);
  return redirectWithToast(env, "/profile", { title: "Profile picture removed" });
}

async function claim({ context, fields }: Args) {
  const { db, env, now } = context.get(appContext);
  const { userId: playerId } = context.get(viewerContext);
  const formKey = formKeyOf(fields.formKey ?? null);
  const claimed = await claimReward(db, { playerId, formKey, now: now() });
  if (claimed.ok) {
    const title = `€${creditsText(REWARD_CENTS)} has been added to your wallet!`;
    return redirectWithToast(env, "/profile", { title });
  }
  if (claimed.reason === "not-earned") {
    return fail(409, { formError: `First ${completeMore(claimed.gamesMissing)} this month.` });
  }
  return fail(409, { formError: CLAIM_ERRORS[claimed.reason] });
}

const CLAIM_ERRORS = {
  "already-claimed": "This month's reward is claimed already.",
  "account-gone": "This account is deleted.",
} as const;
