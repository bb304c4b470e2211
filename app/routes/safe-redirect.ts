import { redirect, redirectDocument } from "react-router";

const LONGEST = 2_000;
const [PATH_LONGEST, SEGMENTS_MOST] = [1_000, 16];
// A path that leaves this reserved origin would leave our site.
const NOWHERE = "http://own.invalid";

/** A path of this site, except sign-out and /auth; null for other origins, "//" and "/\". */
export function safeRedirectTo(value: unknown): string | null {
  if (typeof value !== "string" || value.length > LONGEST) return null;
  // Browsers drop some control characters, which could turn two "/" into "//".
  if (!value.startsWith("/") || /[\p{Cc}\\]/u.test(value)) return null;
  if (!URL.canParse(value, NOWHERE)) return null;
  const { origin, pathname, search, hash } = new URL(value, NOWHERE);
  if (origin !== NOWHERE || pathname.startsWith("//")) return null;
  if (pathname.length > PATH_LONGEST || pathname.split("/").length - 1 > SEGMENTS_MOST) return null;
  const path = pathname + search + hash;
  // Escaped, it must fit into a cookie.
  return path.length > LONGEST || /^\/(sign-out|auth)(\/|$)/i.test(pathname) ? null : path;
}

/** The router cannot show a file, so the browser fetches it itself. */
export function redirectOnwards(path: string, headers: Headers): Response {
  const isFile = /\.\w+$/.test(new URL(path, NOWHERE).pathname);
  return (isFile ? redirectDocument : redirect)(path, { headers });
}
