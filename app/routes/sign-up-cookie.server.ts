import { CONFIRM_LINK_HOURS } from "#app/features/accounts/rules.ts";
import { hashToken, newToken } from "#app/platform/secrets.server.ts";
import { type CookieEnv, signedCookie } from "#app/platform/signed-cookie.server.ts";

/** The hash of this browser's key, by which sign-ups are known as its own; null without one. */
export async function signUpBrowser(env: CookieEnv, request: Request): Promise<string | null> {
  const key = await cookie(env).read(request);
  return key ? hashToken(key) : null;
}

/**
 * The hash that a sign-up of this browser keeps, and the Set-Cookie value that keeps its key as
 * long as the link lasts. One key serves several sign-ups.
 */
export async function signUpCookie(env: CookieEnv, request: Request) {
  const key = (await cookie(env).read(request)) ?? newToken();
  const setCookie = await cookie(env).write(key, { maxAge: CONFIRM_LINK_HOURS * 60 * 60 });
  return { browserHash: hashToken(key), setCookie };
}

// Not below /auth: with JavaScript the forms post to /auth.data, which that path does not cover.
const cookie = (env: CookieEnv) => signedCookie(env, "sign_up");
