import { safeRedirectTo } from "#app/routes/safe-redirect.ts";
import { type CookieEnv, signedCookie } from "#app/platform/signed-cookie.server.ts";

const HOUR_SECONDS = 60 * 60;

/** The Set-Cookie value that remembers for an hour where a purchase began, a path of our own. */
export function returnCookie(env: CookieEnv, path: string): Promise<string> {
  return cookie(env).write(path, { maxAge: HOUR_SECONDS });
}

/** Where the purchase began, or null; it stays until `forgetReturn`'s cookie is set. */
export async function readReturn(env: CookieEnv, request: Request): Promise<string | null> {
  return safeRedirectTo(await cookie(env).read(request));
}

/** The Set-Cookie value that removes it, once it has been used. */
export function forgetReturn(env: CookieEnv): Promise<string> {
  return cookie(env).clear();
}

const cookie = (env: CookieEnv) => signedCookie(env, "return");
