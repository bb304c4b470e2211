import { log } from "../platform/log.server.ts";

/**
 * For what nobody foresaw while a form was answered: the log says it, and null lets the page say
 * so and stay as it is.
 */
export function logFailure(deed: string) {
  return (error: unknown): null => {
    log.error({ err: error }, deed);
    return null;
  };
}
