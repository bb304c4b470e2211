import { isRouteErrorResponse } from "react-router";

/** What a request that cannot be done is answered with (specification, section 8). */
export const PROCESS_FAILED = { title: "Error", description: "Failed to process request" };

/** A form of the desk that breaks on our side; it stays as it was typed. */
export const NOTHING_SAVED = "Nothing was saved. Please try again.";

/** The plan dialog that cannot be filled (specification, section 8). */
export const PACKS_FAILED = { title: "Error", description: "Failed to load credit packs" };

/** A form whose outcome cannot be read. It may be sent again: what it does, it does once. */
export const OUTCOME_UNKNOWN = {
  title: "We could not check whether that worked",
  description:
    "Look before you decide: this page and My Games show what was done. Sending the same form again is safe.",
};

/** Whether a page was left with OUTCOME_UNKNOWN. */
export function isOutcomeUnknown(error: unknown): boolean {
  return isRouteErrorResponse(error) && error.statusText === OUTCOME_UNKNOWN.title;
}
