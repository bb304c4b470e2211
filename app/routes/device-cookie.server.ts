import { createHmac } from "node:crypto";
import { hashToken, newToken } from "#app/platform/secrets.server.ts";
import { type CookieEnv, signedCookie } from "#app/platform/signed-cookie.server.ts";

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
  return cookie(env).write(value, { maxAge: YEAR_SECONDS });
}

async function readDevice(env: CookieEnv, request: Request): Promise<Device | null> {
  const text = await cookie(env).read(request);
  const [id, ...accounts] = text?.split(".") ?? [];
  return id ? { id, accounts } : null;
}

// Who finds the cookie does not learn whose accounts they are.
function markOf({ sessionSecret }: CookieEnv, email: string): string {
  const mac = createHmac("sha256", sessionSecret).update(`device:${email}`).digest("base64url");
  return mac.slice(0, 22);
}

// Not below /auth: with JavaScript the forms post to /auth.data, which that path does not cover.
const cookie = (env: CookieEnv) => signedCookie(env, "device");
