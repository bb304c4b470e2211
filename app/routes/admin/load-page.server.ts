import { data } from "react-router";
import { isThrownResponse } from "#app/forms/form-action.server.ts";
import { log } from "#app/platform/log.server.ts";

/** What a page shows: null with 404 if it is missing, with 500 if reading it failed. */
export async function loadPage<T>(failed: string, read: () => Promise<T | null>) {
  try {
    const found = await read();
    return data({ found, isMissing: found === null }, found === null ? 404 : 200);
  } catch (error) {
    if (isThrownResponse(error)) throw error;
    log.error({ err: error }, failed);
    return data({ found: null, isMissing: false }, 500);
  }
}
