import { data } from "react-router";
import { OUTCOME_UNKNOWN, OUTCOME_UNKNOWN_ONCE } from "./messages.ts";
import { OutcomeUnknownError } from "#app/platform/postgres/commit-outcome.server.ts";

/**
 * For forms that do nothing twice: where the outcome is unknown the page says that, with 503, and
 * claims no failure. Any other error is left to the caller.
 */
export function throwUnknownOutcome(error: unknown): void {
  throwAs(OUTCOME_UNKNOWN, error);
}

/** For forms whose repeat does it twice or is answered otherwise: they say to look first. */
export function throwUnknownOnce(error: unknown): void {
  throwAs(OUTCOME_UNKNOWN_ONCE, error);
}

function throwAs(text: typeof OUTCOME_UNKNOWN, error: unknown): void {
  if (!(error instanceof OutcomeUnknownError)) return;
  throw data(text, { status: 503, statusText: text.title });
}
