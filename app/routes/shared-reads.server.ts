import type { Db } from "#app/platform/db.server.ts";
import { singleFlight } from "#app/platform/single-flight.server.ts";
import { MOST_LAG_MS } from "#app/platform/postgres/replica.server.ts";
import { COOKIE_PREFIX, type CookieEnv, signedCookie } from "#app/platform/signed-cookie.server.ts";
import type { App } from "./context.server.ts";

const LABEL = "acted";
/** Longer than the replica may lag, including time on the way. */
const ACTED_SECONDS = (MOST_LAG_MS * 5) / 1_000;

/**
 * Reads what everybody sees, once for all who ask for the same at the same time; `key` says what.
 * From the replica, unless this browser has just sent a form.
 */
export function readShared<T>(
  { db, replica }: App,
  { headers }: Request,
  key: string,
  ask: (db: Db) => Promise<T>,
): Promise<T> {
  const hasActed = headers.get("Cookie")?.includes(`${COOKIE_PREFIX}${LABEL}=`);
  return !replica || hasActed
    ? singleFlight(db, key, () => ask(db))
    : singleFlight(replica, key, () => replica.read(ask));
}

/** For a form's response: for a while this browser then reads from the primary. */
export function actedCookie(env: CookieEnv): Promise<string> {
  return signedCookie(env, LABEL).write("1", { maxAge: ACTED_SECONDS });
}
