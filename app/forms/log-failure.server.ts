import { log } from "#app/platform/log.server.ts";
import { throwUnknownOutcome } from "./unknown-outcome.server.ts";

/**
 * For what nobody foresaw while a form was answered: the log says it, and null lets the page say
 * so and stay as it is. Where the outcome is unknown it goes on to say that (outcome-unknown).
 */
export function logFailure(deed: string) {
  return (error: unknown): null => {
    throwUnknownOutcome(error);
    log.error({ err: error }, deed);
    return null;
  };
}
