import type { Viewer } from "#app/features/accounts/sessions.server.ts";
import { wholeCreditsCount } from "#app/platform/money.ts";
import type { NavViewer } from "./site-shell.tsx";

/** The part of a viewer that the navigation shows. */
export function navViewer(viewer: Viewer): NavViewer {
  return {
    name: `${viewer.firstName} ${viewer.lastName}`,
    isAdmin: viewer.isAdmin,
    credits: wholeCreditsCount(viewer.balanceCents),
    profilePictureUrl: viewer.profilePictureUrl,
  };
}
