import { data } from "react-router";
import { OutcomeUnknownError } from "../platform/commit-outcome.server.ts";
import { OUTCOME_UNKNOWN } from "./failures.ts";

/**
 * For forms that do nothing twice: where the outcome is unknown the page says that, with 503, and
 * claims no failure. Any other error is left to the caller.
 */
export function throwUnknownOutcome(error: unknown): void {
  if (!(error instanceof OutcomeUnknownError)) return;
  throw data(OUTCOME_UNKNOWN, { status: 503, statusText: OUTCOME_UNKNOWN.title });
}

/** The same for forms that leave every other error to the error screen. */
export function rethrow(error: unknown): never {
  throwUnknownOutcome(error);
  throw error;
}
