import { data } from "react-router";
import { isThrownResponse } from "#app/forms/form-action.server.ts";
import { log } from "#app/platform/log.server.ts";

/** What a page shows: null with 500 where reading it failed. Throws a 404 where it is missing. */
export async function loadPage<T>(failed: string, read: () => Promise<T | null>) {
  try {
    const found = await read();
    if (found === null) throw data(null, 404);
    return data({ found: found as T | null });
  } catch (error) {
    if (isThrownResponse(error)) throw error;
    log.error({ err: error }, failed);
    return data({ found: null }, 500);
  }
}
