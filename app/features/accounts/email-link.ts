import type { Env } from "#app/platform/env.server.ts";

/** For emails: signed in, it opens the page at once; otherwise it begins with signing in. */
export function emailLink({ appUrl }: Pick<Env, "appUrl">, path: string): string {
  return `${appUrl}/auth?${new URLSearchParams({ from: "email", redirectTo: path })}`;
}
