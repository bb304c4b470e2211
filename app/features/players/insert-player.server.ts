import type { Tx } from "../../platform/db.server.ts";
import { type NewAccount, registerAccount } from "../accounts/register-account.server.ts";
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
  const userId = await registerAccount(tx, accountOf(player));
  if (!userId) return null;
  await tx
    .insertInto("profiles")
    .values({ user_id: userId, email: player.email, ...profileOf(player) })
    .execute();
  return userId;
}

/** What a sign-up says of the account. */
export function accountOf(player: NewPlayer): NewAccount {
  const { email, firstName, lastName, passwordHash, confirmed = false } = player;
  return { email, name: `${firstName} ${lastName}`, passwordHash, confirmed };
}

/** What a sign-up says of the person, as the profile keeps it. */
export function profileOf(player: NewPlayer) {
  return {
    first_name: player.firstName,
    last_name: player.lastName,
    date_of_birth: player.dateOfBirth,
    school_year: player.schoolYear,
    major: player.major,
    phone: player.phone,
  };
}
