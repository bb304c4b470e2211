import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { renameAccount, type NewAccount, registerAccount } from "#app/features/accounts/users.server.ts";
import type { ProfileInput, SignUpInput } from "./input.ts";
import { stopSharingCard } from "./cards.server.ts";
import { sql } from "kysely";
import { centsFromNumeric } from "#app/platform/money.ts";
import { type Span, spanRows } from "#app/platform/spans.server.ts";

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

/** What organisers see of a player. */
export interface PlayerRecord {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  phone: string | null;
  dateOfBirth: string;
  schoolYear: string;
  major: string;
  profilePictureUrl: string | null;
  signedUpAt: Date;
  isAdmin: boolean;
  suspendedAt: Date | null;
  suspendedReason: string | null;
  balanceCents: number;
  debtCents: number;
}

type RecordRow = Omit<PlayerRecord, "balanceCents" | "debtCents"> & Record<"balance" | "debt", string>;

/** Null for a deleted account, for nobody and for what is no id. */
export async function findPlayerRecord(
  db: Db,
  playerId: string | undefined,
): Promise<PlayerRecord | null> {
  if (!isId(playerId)) return null;
  const { rows } = await sql<RecordRow>`
    select users.id, first_name as "firstName", last_name as "lastName", profiles.email, phone,
      date_of_birth as "dateOfBirth", school_year as "schoolYear", major,
      profile_picture_url as "profilePictureUrl", users.created_at as "signedUpAt",
      exists (select from user_roles where user_id = users.id and role = 'admin') as "isAdmin",
      suspended_at as "suspendedAt", suspended_reason as "suspendedReason",
      wallet_balance_eur as balance, wallet_debt_eur as debt
    from profiles join users on users.id = profiles.user_id
    where profiles.user_id = ${playerId} and deleted_at is null`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const { balance, debt, ...record } = row;
  return {
    ...record,
    balanceCents: centsFromNumeric(balance),
    debtCents: centsFromNumeric(debt),
  };
}

/** The accounts that there are, and how many of them are from each week. Deleted ones are none. */
export async function countPlayers(
  db: Db,
  { weeks, now }: { weeks: Span[]; now: Date },
): Promise<{ total: number; newPlayers: number[] }> {
  const { rows } = await sql<{ added: number; total: number }>`
    select counted.added, (select count(*) from profiles where deleted_at is null) as total
    from ${spanRows(weeks, now)} cross join lateral (
      select count(*) as added from profiles
      where deleted_at is null and created_at >= span.starts and created_at < span.ends
    ) counted
    order by span.place`.execute(db);
  return { total: rows[0]?.total ?? 0, newPlayers: rows.map(({ added }) => added) };
}
