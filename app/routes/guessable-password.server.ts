import { isMadeOf } from "#app/features/accounts/passwords.server.ts";
import { COMMON_PASSWORD } from "#app/features/accounts/input.ts";
import type { Env } from "#app/platform/env.server.ts";

/** An error if the password contains the site's name or the email. The demo allows its brand. */
export function guessablePasswordProblem(
  { brandName, universityName, demo }: Env,
  { password, email = "" }: { password: string; email?: string },
): string | null {
  const words = [universityName, email.split("@")[0]!, ...(demo ? [] : [brandName, "kickabout"])];
  return isMadeOf(password, words) ? COMMON_PASSWORD : null;
}
