import { sql } from "kysely";
import type { Db } from "../../platform/db.server.ts";
import { centsFromNumeric } from "../../platform/money.ts";
import { SESSION_DAYS } from "./rules.ts";
import { hashToken, newToken } from "./tokens.server.ts";

export interface OpenedSession {
  /** What the cookie carries; the database holds only its hash. */
  token: string;
  expiresAt: Date;
}

/** Who is signed in, as every page needs them. */
export interface Viewer {
  userId: string;
  firstName: string;
  lastName: string;
  email: string;
  balanceCents: number;
  /** Owed from payments that were taken back; no game can be joined meanwhile. */
  debtCents: number;
  isAdmin: boolean;
  profilePictureUrl: string | null;
}

export interface FoundSession extends Viewer {
  /** Set when this request renewed the session: its cookie now lasts until then. */
  renewedUntil: Date | null;
}

const DAY = 24 * 60 * 60 * 1_000;

/**
 * The live session of a cookie's token, or null. One that was not renewed for a day is renewed
 * to last 30 days from now. The role is read every time, so that taking it away takes effect; a
 * suspended or deleted account has no session.
 */
export async function findSession(db: Db, token: string, now: Date): Promise<FoundSession | null> {
  const hash = hashToken(token);
  const row = await readSession(db, hash, now);
  if (!row) return null;
  const dueSince = new Date(now.getTime() - DAY);
  return {
    userId: row.user_id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    balanceCents: centsFromNumeric(row.wallet_balance_eur),
    debtCents: centsFromNumeric(row.wallet_debt_eur),
    isAdmin: row.is_admin,
    profilePictureUrl: row.profile_picture_url,
    renewedUntil: row.updated_at <= dueSince ? await renew(db, hash, dueSince, now) : null,
  };
}

export async function openSession(db: Db, userId: string, now: Date): Promise<OpenedSession> {
  await forgetExpiredSessions(db, now);
  const token = newToken();
  const expiresAt = new Date(now.getTime() + SESSION_DAYS * DAY);
  const times = { expires_at: expiresAt, created_at: now, updated_at: now };
  const session = { user_id: userId, token: hashToken(token), ...times };
  await db.insertInto("sessions").values(session).execute();
  return { token, expiresAt };
}

export async function closeSession(db: Db, token: string): Promise<void> {
  await db.deleteFrom("sessions").where("token", "=", hashToken(token)).execute();
}

/** Tidies a few sessions away that ended by themselves, never one that is just being used. */
async function forgetExpiredSessions(db: Db, now: Date): Promise<void> {
  await sql`delete from sessions where id in (
    select id from sessions where expires_at < ${now} limit 20 for update skip locked
  )`.execute(db);
}

async function readSession(db: Db, tokenHash: string, now: Date) {
  return db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .innerJoin("profiles", "profiles.user_id", "sessions.user_id")
    .select([
      "sessions.user_id",
      "sessions.updated_at",
      "users.email",
      "profiles.first_name",
      "profiles.last_name",
      "profiles.wallet_balance_eur",
      "profiles.wallet_debt_eur",
      "profiles.profile_picture_url",
    ])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom("user_roles")
            .select("user_roles.role")
            .whereRef("user_roles.user_id", "=", "sessions.user_id")
            .where("user_roles.role", "=", "admin"),
        )
        .$castTo<boolean>()
        .as("is_admin"),
    )
    .where("sessions.token", "=", tokenHash)
    .where("sessions.expires_at", ">", now)
    .where("users.suspended_at", "is", null)
    .where("profiles.deleted_at", "is", null)
    .executeTakeFirst();
}

// Of several requests that find the session due, the first renews it; the others leave it alone.
async function renew(db: Db, tokenHash: string, dueSince: Date, now: Date): Promise<Date | null> {
  const expiresAt = new Date(now.getTime() + SESSION_DAYS * DAY);
  const renewed = await db
    .updateTable("sessions")
    .set({ expires_at: expiresAt, updated_at: now })
    .where("token", "=", tokenHash)
    .where("updated_at", "<=", dueSince)
    .executeTakeFirst();
  return renewed.numUpdatedRows > 0n ? expiresAt : null;
}
