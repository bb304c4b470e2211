import { isMadeOf } from "#app/features/accounts/passwords.server.ts";
import { COMMON_PASSWORD } from "#app/features/accounts/input.ts";
import type { Env } from "#app/platform/env.server.ts";

/**
 * The message for a new password that is made of a word of the site or of the account's address, or
 * null. In the demo the brand is allowed: its known password is made of it.
 */
export function ownWordProblem(
  { brandName, universityName, demo }: Env,
  { password, email = "" }: { password: string; email?: string },
): string | null {
  const words = [universityName, email.split("@")[0]!, ...(demo ? [] : [brandName, "kickabout"])];
  return isMadeOf(password, words) ? COMMON_PASSWORD : null;
}
