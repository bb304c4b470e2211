import type { Db } from "#app/platform/db.server.ts";
import { MOST_LAG_MS } from "#app/platform/postgres/replica.server.ts";
import { COOKIE_PREFIX, type CookieEnv, signedCookie } from "#app/platform/signed-cookie.server.ts";
import type { App } from "./context.server.ts";

const LABEL = "acted";
/** Longer than the replica may lag, including time on the way. */
const ACTED_SECONDS = (MOST_LAG_MS * 5) / 1_000;

/** Reads what everybody sees, from the replica unless this browser has just sent a form. */
export function readShared<T>(app: App, request: Request, ask: (db: Db) => Promise<T>): Promise<T> {
  const hasActed = request.headers.get("Cookie")?.includes(`${COOKIE_PREFIX}${LABEL}=`);
  return app.replica && !hasActed ? app.replica.read(ask) : ask(app.db);
}

/** For a form's response: for a while this browser then reads from the primary. */
export function actedCookie(env: CookieEnv): Promise<string> {
  return signedCookie(env, LABEL).write("1", { maxAge: ACTED_SECONDS });
}
