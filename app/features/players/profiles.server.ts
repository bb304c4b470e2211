import { sql } from "kysely";
import { type Db, inCents, type Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import type { Schema } from "#app/platform/schema.ts";
import { type Span, weeksSince } from "#app/platform/date-ranges.server.ts";
import { countWeeks, type WeeklyMetric } from "#app/platform/weekly-metrics.server.ts";
import { type Person, personColumns } from "#app/features/accounts/sign-ups.server.ts";
import { registerAccount, renameAccount } from "#app/features/accounts/accounts.server.ts";
import { stopSharingCard } from "./cards.server.ts";
import type { ProfileInput } from "./input.ts";

/** What every signed-in player may see of another; a shared card has less (cards.server.ts). */
export const PUBLIC_COLUMNS = [
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

export type PublicProfile = NonNullable<Awaited<ReturnType<typeof findPublicProfile>>>;

export type OwnProfile = Awaited<ReturnType<typeof findOwnProfile>>;

export async function findPublicProfile(db: Db, userId: string) {
  if (!isId(userId)) return null;
  const profile = db
    .selectFrom("profiles")
    .select(PUBLIC_COLUMNS)
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null);
  return (await profile.executeTakeFirst()) ?? null;
}

export function findOwnProfile(db: Db, userId: string) {
  return db
    .selectFrom("profiles")
    .select([...PUBLIC_COLUMNS, "date_of_birth as dateOfBirth"])
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
}

export interface PlayerRecord extends Person {
  id: string;
  email: string;
  profilePictureUrl: string | null;
  signedUpAt: Date;
  isAdmin: boolean;
  suspendedAt: Date | null;
  suspendedReason: string | null;
  balanceCents: number;
  debtCents: number;
}

export async function findPlayerRecord(db: Db, playerId: string | undefined) {
  if (!isId(playerId)) return null;
  const { rows } = await sql<PlayerRecord>`
    select users.id, first_name as "firstName", last_name as "lastName", profiles.email, phone,
      date_of_birth as "dateOfBirth", school_year as "schoolYear", major,
      profile_picture_url as "profilePictureUrl", users.created_at as "signedUpAt",
      exists (select from user_roles where user_id = users.id and role = 'admin') as "isAdmin",
      suspended_at as "suspendedAt", suspended_reason as "suspendedReason",
      ${inCents("wallet_balance_eur")} as "balanceCents", ${inCents("wallet_debt_eur")} as "debtCents"
    from profiles join users on users.id = profiles.user_id
    where profiles.user_id = ${playerId} and deleted_at is null`.execute(db);
  return rows[0] ?? null;
}

export async function countPlayers(db: Db, { weeks, now }: { weeks: Span[]; now: Date }) {
  const spans = weeksSince(NEW_PLAYERS.first, now, weeks[0]!.from);
  const query = { spans, hasAny: sql`true`, now };
  const rows = await countWeeks<{ added: number }>(db, NEW_PLAYERS, query);
  const added = rows!.map((week) => week.added);
  const total = added.reduce((sum, each) => sum + each, 0);
  return { total, newPlayers: added.slice(-weeks.length) };
}

export const NEW_PLAYERS: WeeklyMetric = {
  name: "players",
  source: "profiles",
  first: sql`(select min(created_at) from profiles where deleted_at is null)`,
  counted: sql`
    select count(*) as added from profiles
    where deleted_at is null and created_at >= span.starts and created_at < span.ends`,
};

export interface NewPlayer extends Person {
  email: string;
  passwordHash: string;
  personEmail?: string;
}

/** User and profile for a proved address; null if the person has an account. */
export async function insertPlayer(tx: Tx, player: NewPlayer): Promise<string | null> {
  const { email, passwordHash, personEmail } = player;
  const name = `${player.firstName} ${player.lastName}`;
  const userId = await registerAccount(tx, { email, name, passwordHash, personEmail });
  if (!userId) return null;
  await tx
    .insertInto("profiles")
    .values({ user_id: userId, email, ...personColumns(player) })
    .execute();
  return userId;
}

export async function editProfile(db: Db, userId: string, input: ProfileInput): Promise<void> {
  const { firstName, lastName, dateOfBirth, position, nationality, ...more } = input;
  const { isDownToPlay, sportsInterests, ...unnamed } = more;
  // A field that is not named above does not compile; one that is not set below, lint rejects.
  unnamed satisfies Record<string, never>;
  await db.transaction().execute(async (tx) => {
    await renameAccount(tx, userId, `${firstName} ${lastName}`);
    await tx
      .updateTable("profiles")
      .set({
        first_name: firstName,
        last_name: lastName,
        date_of_birth: dateOfBirth,
        position,
        nationality: nationality?.name ?? null,
        nationality_code: nationality?.code ?? null,
        is_down_to_play: isDownToPlay,
        sports_interests: sportsInterests,
      })
      .where("user_id", "=", userId)
      .execute();
  });
}

/** The first name, once: null for a player whose first game has been announced before. */
export async function markFirstGame(tx: Tx, userId: string): Promise<string | null> {
  const marked = await tx
    .updateTable("profiles")
    .set({ join_message_posted: true })
    .where("user_id", "=", userId)
    .where("join_message_posted", "=", false)
    .where("deleted_at", "is", null)
    .returning("first_name as firstName")
    .executeTakeFirst();
  return marked?.firstName ?? null;
}

export const DELETED_PLAYER = { firstName: "Deleted", lastName: "player" };

/** Columns without personal data, or that the account's deletion sets separately. */
type NotErased =
  | ("user_id" | "created_at" | "wallet_balance_eur" | "wallet_debt_eur" | "had_free_session")
  | ("email" | "deleted_at" | "search_words" | "sort_name");

const ANONYMOUS = {
  first_name: DELETED_PLAYER.firstName,
  last_name: DELETED_PLAYER.lastName,
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
} satisfies Record<Exclude<keyof Schema["profiles"], NotErased>, unknown>;

/** The row stays for the books. The caller must delete the returned files of picture and card. */
export async function anonymizePlayer(
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
    .set({ ...ANONYMOUS, email: pseudonym.email, deleted_at: now })
    .where("user_id", "=", userId)
    .execute();
  return { picture, cardToken: await stopSharingCard(tx, userId) };
}
