import { openFiles } from "#app/platform/files.server.ts";
import { profileInput } from "#app/features/players/input.ts";
import { changePicture, removePicture } from "#app/features/players/pictures.server.ts";
import { editProfile } from "#app/features/players/profiles.server.ts";
import { NO_PICTURE, PICTURE_TOO_LARGE } from "#app/features/players/rules.ts";
import { claimReward } from "#app/features/rewards/rewards.server.ts";
import { REWARD_CENTS } from "#app/features/rewards/rules.ts";
import { formActions, parseForm } from "#app/forms/form-action.server.ts";
import { textsOf } from "#app/forms/form-fields.server.ts";
import { rejected } from "#app/forms/form-rows.server.ts";
import { helsinkiDate } from "#app/platform/clock.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import type { SquareCrop } from "#app/platform/images/uploaded-images.server.ts";
import { creditsText } from "#app/platform/money.ts";
import { playerRow } from "#app/routes/player-row.server.ts";
import { PROFILE_FIELDS } from "./edit-dialog.tsx";
import { completeMore } from "./profile-view.server.ts";

const EDIT_FAILED = "Failed to update profile. Please try again.";
const formError = "Nothing was changed.";
const UNREADABLE = "This image cannot be read, or is larger than 25 megapixels.";

export const profileAction = formActions({
  "edit-profile": playerRow({
    ...{ failed: EDIT_FAILED, formError, keep: PROFILE_FIELDS },
    input: ({ fields, form, now }) => {
      const schema = profileInput({ today: helsinkiDate(now()) });
      return parseForm(schema, { ...fields, sports: textsOf(form, "sports") });
    },
    run: ({ db, viewer, input }) => editProfile(db, viewer.userId, input),
    errors: {},
    done: {
      title: "Profile updated",
      description: "Your profile has been successfully updated.",
    },
  }),
  picture: playerRow({
    ...{ failed: "Failed to upload profile picture. Please try again.", formError },
    run: async ({ db, env, viewer: { userId }, form, fields }) => {
      const file = form.get("picture");
      if (!(file instanceof File) || file.size === 0) return rejected("not-an-image");
      const picture = { bytes: Buffer.from(await file.arrayBuffer()), crop: cropOf(fields) };
      return changePicture({ db, files: openFiles(env) }, { userId, ...picture });
    },
    errors: {
      busy: ["busy", formError],
      "not-an-image": ["invalid", { fieldErrors: { picture: NO_PICTURE } }],
      "too-large": ["too-large", { fieldErrors: { picture: PICTURE_TOO_LARGE } }],
      unreadable: ["invalid", { fieldErrors: { picture: UNREADABLE } }],
    },
    done: { title: "Profile picture updated successfully" },
  }),
  "remove-picture": playerRow({
    ...{ failed: EDIT_FAILED, formError },
    run: ({ db, env, viewer }) => removePicture({ db, files: openFiles(env) }, viewer.userId),
    errors: {},
    done: { title: "Profile picture removed" },
  }),
  "claim-reward": playerRow({
    ...{ failed: "Failed to claim reward. Please try again.", formError },
    run: ({ db, viewer: { userId: playerId }, fields, now }) =>
      claimReward(db, { playerId, formKey: formKeyOf(fields.formKey), now: now() }),
    errors: {
      "not-earned": ({ gamesMissing }) => `First ${completeMore(gamesMissing)} this month.`,
      "already-claimed": "This month's reward is claimed already.",
      "account-gone": "This account is deleted.",
    },
    done: { title: `€${creditsText(REWARD_CENTS)} has been added to your wallet!` },
  }),
});

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
