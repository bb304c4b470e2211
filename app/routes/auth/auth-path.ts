import { safeRedirectTo } from "#app/routes/safe-redirect.ts";

/** A path with these fields in its query; those without a value are left out. */
export function withQuery(path: string, fields: Record<string, string | null | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value) query.set(name, value);
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Names the tab, since a visitor on the way to a game would find the other one first. */
export function signInPath(redirectTo: string | null): string {
  return withQuery("/auth", redirectTo ? { redirectTo, tab: "sign-in" } : {});
}

/** The path of ours that a form, or else the address of its page, leads on to. */
export function redirectToOf({ url }: Request, fields: { redirectTo?: string } = {}) {
  return safeRedirectTo(fields.redirectTo ?? new URL(url).searchParams.get("redirectTo"));
}
