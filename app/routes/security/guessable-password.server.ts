import { isMadeOf } from "#app/features/accounts/passwords.server.ts";
import { COMMON_PASSWORD } from "#app/features/accounts/input.ts";
import { FieldError } from "#app/forms/form-action.server.ts";
import type { Env } from "#app/platform/env.server.ts";

/** An error of `field` if the password contains the site's name or the email. The demo allows its
 * brand. */
export function rejectGuessable(
  { brandName, universityName, demo }: Env,
  { field, password, email = "" }: { field: string; password: string; email?: string | undefined },
): void {
  const words = [universityName, email.split("@")[0]!, ...(demo ? [] : [brandName, "kickabout"])];
  if (isMadeOf(password, words)) throw new FieldError({ [field]: COMMON_PASSWORD });
}
