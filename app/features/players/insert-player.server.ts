import type { Tx } from "../../platform/db.server.ts";
import { registerAccount } from "../accounts/register-account.server.ts";
import type { SignUpInput } from "./input.ts";

export interface NewPlayer extends Omit<SignUpInput, "password"> {
  passwordHash: string;
  /** True only where the address needs no proof: the demo world and tests. */
  confirmed?: boolean;
}

/**
 * User and profile of a new player, on the caller's transaction: there is never one without the
 * other. Answers the user's id, or null when the address is taken.
 */
export async function insertPlayer(tx: Tx, player: NewPlayer): Promise<string | null> {
  const { email, firstName, lastName, passwordHash, confirmed = false } = player;
  const name = `${firstName} ${lastName}`;
  const userId = await registerAccount(tx, { email, name, passwordHash, confirmed });
  if (!userId) return null;
  await tx
    .insertInto("profiles")
    .values({
      user_id: userId,
      email,
      first_name: firstName,
      last_name: lastName,
      date_of_birth: player.dateOfBirth,
      school_year: player.schoolYear,
      major: player.major,
      phone: player.phone,
    })
    .execute();
  return userId;
}
