import type { Tx } from "#app/platform/db.server.ts";
import { stopSharingCard } from "./stop-sharing-card.server.ts";

/** What stands where a person stood. */
export const NOBODY = { firstName: "Deleted", lastName: "player" };

const NOBODYS_PROFILE = {
  first_name: NOBODY.firstName,
  last_name: NOBODY.lastName,
  date_of_birth: "1900-01-01",
  school_year: "Bachelor",
  major: "-",
  phone: null,
  sports_interests: [] as string[],
  join_message_posted: false,
  is_down_to_play: false,
  position: null,
  nationality: null,
  nationality_code: null,
  profile_picture_url: null,
};

/**
 * Takes the person out of a profile, on the caller's transaction. The row stays: bookings and the
 * ledger refer to it. Answers what is nobody's now: the address of the picture and the token of the
 * shared card, each null where there was none.
 */
export async function forgetPlayer(
  tx: Tx,
  userId: string,
  pseudonym: { email: string },
  now: Date,
): Promise<{ picture: string | null; cardToken: string | null }> {
  const { profile_picture_url: picture } = await tx
    .selectFrom("profiles")
    .select("profile_picture_url")
    .where("user_id", "=", userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  await tx
    .updateTable("profiles")
    .set({ ...NOBODYS_PROFILE, email: pseudonym.email, deleted_at: now })
    .where("user_id", "=", userId)
    .execute();
  return { picture, cardToken: await stopSharingCard(tx, userId) };
}
