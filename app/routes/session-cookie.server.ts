import type { OpenedSession } from "#app/features/accounts/sessions.server.ts";
import { COOKIE_PREFIX, type CookieEnv, signedCookie } from "#app/platform/signed-cookie.server.ts";

export const SESSION_LABEL = "session";

/** The token that a request's cookie carries and signs, or null. */
export function readSessionCookie(env: CookieEnv, request: Request): Promise<string | null> {
  return cookie(env).read(request);
}

/** Whether a request may be of somebody who is signed in; asks nothing of the database. */
export function hasSessionCookie(request: Request): boolean {
  return request.headers.get("Cookie")?.includes(`${COOKIE_PREFIX}${SESSION_LABEL}=`) ?? false;
}

/** The Set-Cookie value that keeps a session in the browser until it expires. */
export function signInCookie(env: CookieEnv, session: OpenedSession): Promise<string> {
  return cookie(env).write(session.token, { expires: session.expiresAt });
}

/** The Set-Cookie value that removes the session from the browser. */
export function signOutCookie(env: CookieEnv): Promise<string> {
  return cookie(env).clear();
}

/** Whether a response signs in or out already, and a renewal must not overwrite that. */
export function setsSessionCookie(env: CookieEnv, response: Response): boolean {
  const start = `${cookie(env).name}=`;
  return response.headers.getSetCookie().some((header) => header.startsWith(start));
}

const cookie = (env: CookieEnv) => signedCookie(env, SESSION_LABEL);
