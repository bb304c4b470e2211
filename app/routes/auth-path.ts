import { safeRedirectTo } from "#app/routes/safe-redirect.ts";

export function withQuery(path: string, fields: Record<string, string | null | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value) query.set(name, value);
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Opens the sign-in tab: on the way to a game the other tab would be first. */
export function signInPath(redirectTo: string | null): string {
  return withQuery("/auth", redirectTo ? { redirectTo, tab: "sign-in" } : {});
}

/** Our own path from the form, or else from its page's address, to go on to. */
export function redirectToOf({ url }: Request, fields: { redirectTo?: string } = {}) {
  return safeRedirectTo(fields.redirectTo ?? new URL(url).searchParams.get("redirectTo"));
}
