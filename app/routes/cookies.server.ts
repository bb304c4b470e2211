import type { OpenedSession } from "#app/features/accounts/sessions.server.ts";
import { COOKIE_PREFIX, type CookieEnv, signedCookie } from "#app/platform/signed-cookie.server.ts";
import { createHmac } from "node:crypto";
import { hashToken, newToken } from "#app/platform/secrets.server.ts";
import { CONFIRM_LINK_HOURS } from "#app/features/accounts/rules.ts";

export const SESSION_LABEL = "session";

export function readSessionCookie(env: CookieEnv, request: Request): Promise<string | null> {
  return sessionCookie(env).read(request);
}

/** Whether the request may be signed in, without a query. */
export function hasSessionCookie(request: Request): boolean {
  return request.headers.get("Cookie")?.includes(`${COOKIE_PREFIX}${SESSION_LABEL}=`) ?? false;
}

export function signInCookie(env: CookieEnv, session: OpenedSession): Promise<string> {
  return sessionCookie(env).write(session.token, { expires: session.expiresAt });
}

export function signOutCookie(env: CookieEnv): Promise<string> {
  return sessionCookie(env).clear();
}

/** Whether the response already signs in or out, which a renewal must not overwrite. */
export function setsSessionCookie(env: CookieEnv, response: Response): boolean {
  const start = `${sessionCookie(env).name}=`;
  return response.headers.getSetCookie().some((header) => header.startsWith(start));
}

const CLEARS = "Clear-Site-Data";

/** For who leaves for good: takes the cookie, and all that the browser has kept. */
export async function signOutHeaders(env: CookieEnv): Promise<Headers> {
  const headers = new Headers({ "Set-Cookie": await signOutCookie(env) });
  headers.set(CLEARS, '"cache", "storage"');
  return headers;
}

const sessionCookie = (env: CookieEnv) => signedCookie(env, SESSION_LABEL);

const YEAR_SECONDS = 365 * 24 * 60 * 60;
// Enough for a shared browser; the cookie is sent with every request.
const MOST_ACCOUNTS = 4;

/** This browser's hash for counting failed sign-ins, if the account has signed in here before. */
export async function knownDevice(env: CookieEnv, request: Request, email: string) {
  const device = await readDevice(env, request);
  return device?.accounts.includes(markOf(env, email)) ? hashToken(device.id) : null;
}

/** Whether any account has signed in with this browser, or reset its password. */
export async function hasHadAccount(env: CookieEnv, request: Request): Promise<boolean> {
  return (await readDevice(env, request)) !== null;
}

/** The browser is this account's now. What another has typed waits for it, under its id. */
export async function claimDevice(
  headers: Headers,
  env: CookieEnv,
  request: Request,
  email: string,
) {
  const device = await readDevice(env, request);
  const isOthers = device ? device.accounts[0] !== markOf(env, email) : hasSessionCookie(request);
  // Pictures of players are in the cache.
  if (isOthers) headers.set(CLEARS, '"cache"');
  headers.append("Set-Cookie", await deviceCookie(env, request, email));
}

export async function deviceCookie(env: CookieEnv, request: Request, email: string) {
  const { id, accounts } = (await readDevice(env, request)) ?? { id: newToken(), accounts: [] };
  const mark = markOf(env, email);
  const others = accounts.filter((account) => account !== mark);
  const value = [id, mark, ...others.slice(0, MOST_ACCOUNTS - 1)].join(".");
  return deviceSignedCookie(env).write(value, { maxAge: YEAR_SECONDS });
}

/** `accounts`: keyed hashes of the accounts that signed in here, newest first. */
async function readDevice(env: CookieEnv, request: Request) {
  const text = await deviceSignedCookie(env).read(request);
  const [id, ...accounts] = text?.split(".") ?? [];
  return id ? { id, accounts } : null;
}

// The cookie does not reveal whose accounts they are.
function markOf({ sessionSecret }: CookieEnv, email: string): string {
  const mac = createHmac("sha256", sessionSecret).update(`device:${email}`).digest("base64url");
  return mac.slice(0, 22);
}

const deviceSignedCookie = (env: CookieEnv) => signedCookie(env, "device");

/** The hash of this browser's key, which is stored with its sign-ups. */
export async function signUpBrowser(env: CookieEnv, request: Request): Promise<string | null> {
  const key = await signUpSignedCookie(env).read(request);
  return key ? hashToken(key) : null;
}

/** One key for all sign-ups of a browser; lasts as long as their links. */
export async function signUpCookie(env: CookieEnv, request: Request) {
  const key = (await signUpSignedCookie(env).read(request)) ?? newToken();
  const maxAge = CONFIRM_LINK_HOURS * 60 * 60;
  const setCookie = await signUpSignedCookie(env).write(key, { maxAge });
  return { browserHash: hashToken(key), setCookie };
}

// Not limited to /auth: with JavaScript the forms post to /auth.data.
const signUpSignedCookie = (env: CookieEnv) => signedCookie(env, "sign_up");
