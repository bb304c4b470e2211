import type { Tx } from "#app/platform/db.server.ts";
import { type NewAccount, registerAccount } from "#app/features/accounts/users.server.ts";
import type { SignUpInput } from "./input.ts";

export interface NewPlayer extends Omit<SignUpInput, "password" | "schoolYear"> {
  schoolYear: string;
  passwordHash: string;
  /** By Accounts.personOf; the address itself where it is left out. */
  personEmail?: string;
}

/**
 * User and profile of a new player whose address is proved, on the caller's transaction: there is
 * never one without the other. Answers the user's id, or null when the person has an account.
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

function accountOf(player: NewPlayer): NewAccount {
  const { email, firstName, lastName, passwordHash, personEmail } = player;
  return { email, name: `${firstName} ${lastName}`, passwordHash, personEmail };
}

/** What a sign-up says of the person, as sign-up and profile keep it. */
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
