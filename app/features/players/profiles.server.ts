import type { Db } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";

const PUBLIC = [
  "first_name as firstName",
  "last_name as lastName",
  "profile_picture_url as profilePictureUrl",
  "school_year as schoolYear",
  "major",
  "is_down_to_play as isDownToPlay",
  "sports_interests as sportsInterests",
  "position",
  "nationality",
  "nationality_code as nationalityCode",
] as const;

/** What every signed-in player may see of another: no address, phone, birthday or wallet. */
export type PublicProfile = NonNullable<Awaited<ReturnType<typeof findPublicProfile>>>;

export type OwnProfile = Awaited<ReturnType<typeof findOwnProfile>>;

/** Null where there is no such player; an id that is none is nobody's. */
export async function findPublicProfile(db: Db, userId: string) {
  if (!isId(userId)) return null;
  const profile = db
    .selectFrom("profiles")
    .select(PUBLIC)
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null);
  return (await profile.executeTakeFirst()) ?? null;
}

/** What a player sees and edits of their own. */
export function findOwnProfile(db: Db, userId: string) {
  return db
    .selectFrom("profiles")
    .select([...PUBLIC, "date_of_birth as dateOfBirth"])
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
}
