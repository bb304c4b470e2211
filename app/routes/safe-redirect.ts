// Parsed against an origin of nobody's: whatever leaves it would leave our site as well.
const LONGEST = 2_000;
const NOWHERE = "http://own.invalid";

/**
 * A path of our own to go on to, or null: no other origin, no "//" or "/\", no control
 * characters, and neither sign-out nor /auth itself.
 */
export function safeRedirectTo(value: unknown): string | null {
  if (typeof value !== "string" || value.length > LONGEST) return null;
  // Browsers drop some control characters, which would make "//" of a "/" and another.
  if (!value.startsWith("/") || /[\p{Cc}\\]/u.test(value)) return null;
  if (!URL.canParse(value, NOWHERE)) return null;
  const { origin, pathname, search, hash } = new URL(value, NOWHERE);
  if (origin !== NOWHERE || pathname.startsWith("//")) return null;
  const path = pathname + search + hash;
  // It grows by being escaped, and has to fit a cookie.
  return path.length > LONGEST || /^\/(sign-out|auth)(\/|$)/i.test(pathname) ? null : path;
}
