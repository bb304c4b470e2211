import { isRouteErrorResponse } from "react-router";

/** Texts of the specification, section 8. */
export const PROCESS_FAILED = { title: "Error", description: "Failed to process request" };

/** Texts of the specification, section 8. */
export const LOGOUT_FAILED = "Failed to log out. Please try again.";

export const TRY_AGAIN = "Please try again.";

/** In place of TRY_AGAIN, which could suggest a wrong password. */
export const OUR_FAULT = "Something went wrong on our side. Please try again.";

export const NOTHING_SAVED = "Nothing was saved. Please try again.";

/** Texts of the specification, section 8; for a plan dialog without packs. */
export const PACKS_FAILED = { title: "Error", formError: "Failed to load credit packs" };

export const TOO_MANY_SIGN_INS =
  "Too many people are signing in right now. Please try again in a moment.";

/** The outcome is unknown, but the form is idempotent: it may be sent again. */
export const OUTCOME_UNKNOWN = {
  title: "We could not check whether that worked",
  description:
    "Look before you decide: this page shows what was done. Sending the same form again is safe.",
};

export const OUTCOME_UNKNOWN_UNSAFE = {
  title: OUTCOME_UNKNOWN.title,
  description:
    "It may have worked. Look before you try again, for example by opening this page again or signing in.",
};

export function unknownOutcomeOf(error: unknown): typeof OUTCOME_UNKNOWN | null {
  if (!isRouteErrorResponse(error) || error.statusText !== OUTCOME_UNKNOWN.title) return null;
  return error.data?.description ? error.data : OUTCOME_UNKNOWN;
}
