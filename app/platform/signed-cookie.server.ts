import { createHmac, timingSafeEqual } from "node:crypto";
import { createCookie } from "react-router";
import type { Env } from "./env.server.ts";

export const COOKIE_PREFIX = "kickabout_";

export const COOKIE_LABELS = [
  "session",
  "second-step",
  "device",
  "sign_up",
  "toast",
  "return",
  "acted",
] as const;

export type CookieEnv = Pick<Env, "appUrl" | "sessionSecret">;

// The signature covers the name, so that no cookie's value passes for another's. Signed in sync:
// React Router's Web Crypto costs every request a thread's round trip.
export function signedCookie(env: CookieEnv, label: (typeof COOKIE_LABELS)[number]) {
  const secure = env.appUrl.startsWith("https://");
  // Browsers without https reject __Host-; with it no other subdomain can plant the cookie.
  const name = `${secure ? "__Host-" : ""}${COOKIE_PREFIX}${label}`;
  const cookie = createCookie(name, { httpOnly: true, sameSite: "lax", path: "/", secure });
  const sign = (text: string) =>
    createHmac("sha256", env.sessionSecret).update(`${label}:${text}`).digest("base64url");
  return {
    name,
    async read(request: Request): Promise<string | null> {
      const value: unknown = await cookie.parse(request.headers.get("Cookie"));
      if (typeof value !== "string") return null;
      const end = value.lastIndexOf(".");
      const text = value.slice(0, end);
      return end > 0 && isEqual(value.slice(end + 1), sign(text)) ? text : null;
    },
    write: (text: string, lifetime: { maxAge?: number; expires?: Date }) =>
      cookie.serialize(`${text}.${sign(text)}`, lifetime),
    clear: () => cookie.serialize("", { expires: new Date(0), maxAge: 0 }),
  };
}

function isEqual(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
