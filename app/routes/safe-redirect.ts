// A reserved origin: a path that leaves it would leave our site too.
const LONGEST = 2_000;
const NOWHERE = "http://own.invalid";

/** A path of this site, else null: no other origin, no "//" or "/\", neither sign-out nor /auth. */
export function safeRedirectTo(value: unknown): string | null {
  if (typeof value !== "string" || value.length > LONGEST) return null;
  // Browsers drop some control characters, which could turn two "/" into "//".
  if (!value.startsWith("/") || /[\p{Cc}\\]/u.test(value)) return null;
  if (!URL.canParse(value, NOWHERE)) return null;
  const { origin, pathname, search, hash } = new URL(value, NOWHERE);
  if (origin !== NOWHERE || pathname.startsWith("//")) return null;
  const path = pathname + search + hash;
  // Escaped, it has to fit into a cookie.
  return path.length > LONGEST || /^\/(sign-out|auth)(\/|$)/i.test(pathname) ? null : path;
}
