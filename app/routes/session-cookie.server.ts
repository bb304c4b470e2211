import { type Cookie, createCookie } from "react-router";
import type { OpenedSession } from "../features/accounts/accounts.server.ts";
import type { Env } from "../platform/env.server.ts";

type CookieEnv = Pick<Env, "appUrl" | "sessionSecret">;

/** The token that a request's cookie carries and signs, or null. */
export async function readSessionCookie(env: CookieEnv, request: Request): Promise<string | null> {
  const value: unknown = await sessionCookie(env).parse(request.headers.get("Cookie"));
  return typeof value === "string" ? value : null;
}

/** The Set-Cookie value that keeps a session in the browser until it expires. */
export function signInCookie(env: CookieEnv, session: OpenedSession): Promise<string> {
  return sessionCookie(env).serialize(session.token, { expires: session.expiresAt });
}

/** The Set-Cookie value that removes the session from the browser. */
export function signOutCookie(env: CookieEnv): Promise<string> {
  return sessionCookie(env).serialize("", { expires: new Date(0), maxAge: 0 });
}

/** Whether a response signs in or out already, and a renewal must not overwrite that. */
export function setsSessionCookie(env: CookieEnv, response: Response): boolean {
  const start = `${sessionCookie(env).name}=`;
  return response.headers.getSetCookie().some((cookie) => cookie.startsWith(start));
}

// __Host- is refused by browsers without https; with it no other subdomain can plant the cookie.
function sessionCookie({ appUrl, sessionSecret }: CookieEnv): Cookie {
  const secure = appUrl.startsWith("https://");
  return createCookie(`${secure ? "__Host-" : ""}kickabout_session`, {
    secrets: [sessionSecret],
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    secure,
  });
}
