import type { OpenedSession } from "#app/features/accounts/sessions.server.ts";
import { COOKIE_PREFIX, type CookieEnv, signedCookie } from "#app/platform/signed-cookie.server.ts";
import { createHmac } from "node:crypto";
import { hashToken, newToken } from "#app/platform/secrets.server.ts";
import { CONFIRM_LINK_HOURS } from "#app/features/accounts/rules.ts";

export const SESSION_LABEL = "session";

/** The token that a request's cookie carries and signs, or null. */
export function readSessionCookie(env: CookieEnv, request: Request): Promise<string | null> {
  return sessionCookie(env).read(request);
}

/** Whether a request may be of somebody who is signed in; asks nothing of the database. */
export function hasSessionCookie(request: Request): boolean {
  return request.headers.get("Cookie")?.includes(`${COOKIE_PREFIX}${SESSION_LABEL}=`) ?? false;
}

/** The Set-Cookie value that keeps a session in the browser until it expires. */
export function signInCookie(env: CookieEnv, session: OpenedSession): Promise<string> {
  return sessionCookie(env).write(session.token, { expires: session.expiresAt });
}

/** The Set-Cookie value that removes the session from the browser. */
export function signOutCookie(env: CookieEnv): Promise<string> {
  return sessionCookie(env).clear();
}

/** Whether a response signs in or out already, and a renewal must not overwrite that. */
export function setsSessionCookie(env: CookieEnv, response: Response): boolean {
  const start = `${sessionCookie(env).name}=`;
  return response.headers.getSetCookie().some((header) => header.startsWith(start));
}

const sessionCookie = (env: CookieEnv) => signedCookie(env, SESSION_LABEL);

interface Device {
  id: string;
  /** The accounts that have signed in here, newest first, each as a keyed hash. */
  accounts: string[];
}

const YEAR_SECONDS = 365 * 24 * 60 * 60;
// Flatmates share a browser; a longer list would travel with every request.
const MOST_ACCOUNTS = 4;

/** This browser, as failed sign-ins count it, where the account has signed in here; else null. */
export async function knownDevice(
  env: CookieEnv,
  request: Request,
  email: string,
): Promise<string | null> {
  const device = await readDevice(env, request);
  return device?.accounts.includes(markOf(env, email)) ? hashToken(device.id) : null;
}

/** The Set-Cookie value that makes this browser known to one more account. */
export async function deviceCookie(
  env: CookieEnv,
  request: Request,
  email: string,
): Promise<string> {
  const { id, accounts } = (await readDevice(env, request)) ?? { id: newToken(), accounts: [] };
  const mark = markOf(env, email);
  const others = accounts.filter((account) => account !== mark);
  const value = [id, mark, ...others.slice(0, MOST_ACCOUNTS - 1)].join(".");
  return deviceSignedCookie(env).write(value, { maxAge: YEAR_SECONDS });
}

async function readDevice(env: CookieEnv, request: Request): Promise<Device | null> {
  const text = await deviceSignedCookie(env).read(request);
  const [id, ...accounts] = text?.split(".") ?? [];
  return id ? { id, accounts } : null;
}

// Who finds the cookie does not learn whose accounts they are.
function markOf({ sessionSecret }: CookieEnv, email: string): string {
  const mac = createHmac("sha256", sessionSecret).update(`device:${email}`).digest("base64url");
  return mac.slice(0, 22);
}

// Not below /auth: with JavaScript the forms post to /auth.data, which that path does not cover.
const deviceSignedCookie = (env: CookieEnv) => signedCookie(env, "device");

/** The hash of this browser's key, by which sign-ups are known as its own; null without one. */
export async function signUpBrowser(env: CookieEnv, request: Request): Promise<string | null> {
  const key = await signUpSignedCookie(env).read(request);
  return key ? hashToken(key) : null;
}

/**
 * The hash that a sign-up of this browser keeps, and the Set-Cookie value that keeps its key as
 * long as the link lasts. One key serves several sign-ups.
 */
export async function signUpCookie(env: CookieEnv, request: Request) {
  const key = (await signUpSignedCookie(env).read(request)) ?? newToken();
  const setCookie = await signUpSignedCookie(env).write(key, {
    maxAge: CONFIRM_LINK_HOURS * 60 * 60,
  });
  return { browserHash: hashToken(key), setCookie };
}

// Not below /auth: with JavaScript the forms post to /auth.data, which that path does not cover.
const signUpSignedCookie = (env: CookieEnv) => signedCookie(env, "sign_up");
