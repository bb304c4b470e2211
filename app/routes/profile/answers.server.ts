import { data, redirect } from "react-router";
import type { Viewer } from "#app/features/accounts/sessions.server.ts";
import { checkForm } from "#app/features/accounts/input.ts";
import {
  changePicture,
  type PictureResult,
  removePicture,
} from "#app/features/players/pictures.server.ts";
import { editProfile } from "#app/features/players/profiles.server.ts";
import { profileInput } from "#app/features/players/input.ts";
import { NO_PICTURE, PICTURE_TOO_LARGE } from "#app/features/players/rules.ts";
import { type ClaimResult, claimReward } from "#app/features/rewards/rewards.server.ts";
import { REWARD_CENTS } from "#app/features/rewards/rules.ts";
import { helsinkiDate } from "#app/platform/clock.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { log } from "#app/platform/log.server.ts";
import { creditsText } from "#app/platform/money.ts";
import type { App } from "#app/routes/context.server.ts";
import { type Flash, toastCookie } from "#app/forms/toast.server.ts";
import { throwUnknownOutcome } from "#app/forms/unknown-outcome.server.ts";
import { completeMore } from "./challenge-words.ts";
import { profileForm } from "./profile-form.ts";
import { cropOf, pictureOf } from "./picture-fields.ts";
import type { ProfileValues } from "./profile-words.server.ts";

/** What a refused form of /profile says. */
export interface ProfileAnswer {
  form: "edit" | "picture" | "reward" | "none";
  title: string;
  description?: string;
  errors?: Record<string, string>;
  /** As posted, for the dialog to show again. */
  values?: ProfileValues;
}

const EDIT_FAILED = "Failed to update profile. Please try again.";
const PICTURE_FAILED = "Failed to upload profile picture. Please try again.";
const CLAIM_FAILED = "Failed to claim reward. Please try again.";

export async function answerEdit(app: App, viewer: Viewer, form: FormData) {
  const fields = profileForm(form);
  const values = { ...fields, isDownToPlay: fields.isDownToPlay !== "" };
  const failed = { form: "edit" as const, title: EDIT_FAILED, values };
  const checked = checkForm(profileInput({ today: helsinkiDate(app.now()) }), fields);
  if (!checked.ok) return refuse({ ...failed, errors: checked.errors }, 422);
  try {
    await editProfile(app.db, viewer.userId, checked.input);
  } catch (error) {
    return breakDown(error, failed);
  }
  const description = "Your profile has been successfully updated.";
  return done(app, { title: "Profile updated", description });
}

export async function answerPicture(app: App, viewer: Viewer, form: FormData) {
  const failed = { form: "picture" as const, title: PICTURE_FAILED };
  const file = pictureOf(form);
  if (!file) return refuse({ ...failed, errors: { picture: NO_PICTURE } }, 422);
  try {
    const bytes = Buffer.from(await file.arrayBuffer());
    const picture = { userId: viewer.userId, bytes, crop: cropOf(form) };
    const answer = await changePicture({ db: app.db, dataDir: app.env.dataDir }, picture);
    if (!answer.ok) return refusePicture(answer);
  } catch (error) {
    return breakDown(error, failed);
  }
  return done(app, { title: "Profile picture updated successfully" });
}

export async function answerRemovePicture(app: App, viewer: Viewer) {
  try {
    await removePicture({ db: app.db, dataDir: app.env.dataDir }, viewer.userId);
  } catch (error) {
    return breakDown(error, { form: "picture", title: EDIT_FAILED });
  }
  return done(app, { title: "Profile picture removed" });
}

export async function answerClaim(app: App, viewer: Viewer, form: FormData) {
  const failed = { form: "reward" as const, title: CLAIM_FAILED };
  try {
    const formKey = formKeyOf(form.get("formKey"));
    const claim = { playerId: viewer.userId, formKey, now: app.now() };
    const answer = await claimReward(app.db, claim);
    const title = `€${creditsText(REWARD_CENTS)} has been added to your wallet!`;
    if (answer.ok) return await done(app, { title });
    return refuse({ ...failed, description: claimWords(answer) }, 409);
  } catch (error) {
    return breakDown(error, failed);
  }
}

function claimWords(answer: Extract<ClaimResult, { ok: false }>): string {
  if (answer.reason === "not-earned")
    return `First ${completeMore(answer.gamesMissing)} this month.`;
  return answer.reason === "already-claimed"
    ? "This month's reward is claimed already."
    : "This account is deleted.";
}

export function refuse(answer: ProfileAnswer, status: number) {
  return data<ProfileAnswer>(answer, { status });
}

function refusePicture({ reason }: PictureResult & { ok: false }) {
  const failed = { form: "picture" as const, title: PICTURE_FAILED };
  if (reason === "busy") return refuse(failed, 503);
  const [message, status] = {
    "not-an-image": [NO_PICTURE, 422] as const,
    "too-large": [PICTURE_TOO_LARGE, 413] as const,
    unreadable: ["This image cannot be read, or is larger than 25 megapixels.", 422] as const,
  }[reason];
  return refuse({ ...failed, errors: { picture: message } }, status);
}

/** What nobody foresaw is logged; the person keeps the page and may try again. */
function breakDown(error: unknown, answer: ProfileAnswer) {
  throwUnknownOutcome(error);
  log.error({ err: error }, answer.title);
  return refuse(answer, 500);
}

async function done({ env }: App, message: Omit<Flash, "id">) {
  return redirect("/profile", { headers: { "Set-Cookie": await toastCookie(env, message) } });
}
