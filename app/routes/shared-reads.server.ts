import type { Db } from "#app/platform/db.server.ts";
import { readJointly } from "#app/platform/joint-reads.server.ts";
import { MOST_LAG_MS } from "#app/platform/postgres/replica.server.ts";
import { COOKIE_PREFIX, type CookieEnv, signedCookie } from "#app/platform/signed-cookie.server.ts";
import type { App } from "./context.server.ts";

const LABEL = "acted";
/** Longer than the replica may lag, including time on the way. */
const ACTED_SECONDS = (MOST_LAG_MS * 5) / 1_000;

/** Reads what everybody sees, from the replica unless this browser has just sent a form. */
export function readShared<T>(app: App, request: Request, ask: (db: Db) => Promise<T>): Promise<T> {
  return isPrimary(app, request) ? ask(app.db) : app.replica!.read(ask);
}

const isPrimary = ({ replica }: App, { headers }: Request) =>
  !replica || (headers.get("Cookie")?.includes(`${COOKIE_PREFIX}${LABEL}=`) ?? false);

/** `readShared`, once for all who ask for the same at the same time; `key` says what. */
export function readTogether<T>(
  app: App,
  request: Request,
  key: string,
  ask: (db: Db) => Promise<T>,
): Promise<T> {
  const source = isPrimary(app, request) ? app.db : app.replica!;
  return readJointly(source, key, () => readShared(app, request, ask));
}

/** For a form's response: for a while this browser then reads from the primary. */
export function actedCookie(env: CookieEnv): Promise<string> {
  return signedCookie(env, LABEL).write("1", { maxAge: ACTED_SECONDS });
}
