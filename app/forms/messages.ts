import { isRouteErrorResponse } from "react-router";

/** What a request that cannot be done is answered with (specification, section 8). */
export const PROCESS_FAILED = { title: "Error", description: "Failed to process request" };

/** What the page says when nobody could be signed out (specification, section 8). */
export const LOGOUT_FAILED = "Failed to log out. Please try again.";

/** Why a form failed where it was our side. */
export const TRY_AGAIN = "Please try again.";

/** The same where it could be taken for a wrong password. */
export const OUR_FAULT = "Something went wrong on our side. Please try again.";

/** An admin form that fails on our side; it keeps what was typed. */
export const NOTHING_SAVED = "Nothing was saved. Please try again.";

/** The plan dialog that cannot be filled (specification, section 8). */
export const PACKS_FAILED = { title: "Error", formError: "Failed to load credit packs" };

/** Where passwords wait for their turn for too long. */
export const TOO_MANY_SIGN_INS =
  "Too many people are signing in right now. Please try again in a moment.";

/** A form whose outcome cannot be read. It may be sent again: what it does, it does once. */
export const OUTCOME_UNKNOWN = {
  title: "We could not check whether that worked",
  description:
    "Look before you decide: this page and My Games show what was done. Sending the same form again is safe.",
};

/** The same for a form that does it twice, or says something else the second time. */
export const OUTCOME_UNKNOWN_ONCE = {
  title: OUTCOME_UNKNOWN.title,
  description:
    "It may have worked. Look before you try again, for example by opening this page again or signing in.",
};

/** What a page says that was left with one of these, or null for any other error. */
export function unknownOutcomeOf(error: unknown): typeof OUTCOME_UNKNOWN | null {
  if (!isRouteErrorResponse(error) || error.statusText !== OUTCOME_UNKNOWN.title) return null;
  const isOnce = error.data?.description === OUTCOME_UNKNOWN_ONCE.description;
  return isOnce ? OUTCOME_UNKNOWN_ONCE : OUTCOME_UNKNOWN;
}
