import { data } from "react-router";
import { isThrownResponse } from "#app/forms/form-action.server.ts";
import { log } from "#app/platform/log.server.ts";

/** What a page shows, or null with 500 where reading it failed. */
export async function loadPage<T>(failed: string, read: () => Promise<T | null>) {
  try {
    const found: T | null = orMissing(await read());
    return data({ found });
  } catch (error) {
    if (isThrownResponse(error)) throw error;
    log.error({ err: error }, failed);
    return data({ found: null }, 500);
  }
}

/** Throws a 404, which the page's boundary shows, where nothing was found. */
export function orMissing<T>(found: T | null): T {
  if (found === null) throw data(null, 404);
  return found;
}
