import type { Db } from "#app/platform/db.server.ts";
import { renameAccount } from "#app/features/accounts/users.server.ts";
import type { ProfileInput } from "./input.ts";

/** Stores what a player has changed in the profile dialog; `input` is checked already. */
export async function editProfile(db: Db, userId: string, input: ProfileInput): Promise<void> {
  const { firstName, lastName, dateOfBirth, position, nationality } = input;
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable("profiles")
      .set({
        first_name: firstName,
        last_name: lastName,
        date_of_birth: dateOfBirth,
        position,
        nationality: nationality?.name ?? null,
        nationality_code: nationality?.code ?? null,
        is_down_to_play: input.isDownToPlay,
        sports_interests: input.sportsInterests,
      })
      .where("user_id", "=", userId)
      .execute();
    await renameAccount(tx, userId, `${firstName} ${lastName}`);
  });
}
