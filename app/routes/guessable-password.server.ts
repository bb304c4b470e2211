import { isMadeOf } from "#app/features/accounts/passwords.server.ts";
import { COMMON_PASSWORD } from "#app/features/accounts/input.ts";
import type { Env } from "#app/platform/env.server.ts";

/** The error for a password made of the site's or the address's words. The demo allows its brand. */
export function guessablePasswordProblem(
  { brandName, universityName, demo }: Env,
  { password, email = "" }: { password: string; email?: string },
): string | null {
  const words = [universityName, email.split("@")[0]!, ...(demo ? [] : [brandName, "kickabout"])];
  return isMadeOf(password, words) ? COMMON_PASSWORD : null;
}
