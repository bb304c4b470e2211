import { type ExpressionBuilder, sql } from "kysely";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { centsFromNumeric } from "#app/platform/money.ts";
import type { Schema } from "#app/platform/schema.ts";
import { ADMIN_IDLE_HOURS, SESSION_DAYS, SESSION_MAX_DAYS } from "./rules.ts";
import { hashToken, newToken } from "./tokens.server.ts";
import Bowser from "bowser";
import { isId } from "#app/platform/ids.ts";

export interface OpenedSession {
  /** What the cookie carries; the database holds only its hash. */
  token: string;
  /** When the cookie ends: the session is over then unless it was used meanwhile. */
  expiresAt: Date;
}

/** Who is signed in, as every page needs them. */
export interface Viewer {
  userId: string;
  sessionId: string;
  firstName: string;
  lastName: string;
  email: string;
  balanceCents: number;
  /** Owed from payments that were taken back; no game can be joined meanwhile. */
  debtCents: number;
  isAdmin: boolean;
  /** The account asks for a code at sign-in. */
  hasSecondFactor: boolean;
  /** This session was opened, or gone on with, by a code of the factor that is set up now. */
  passedSecondFactor: boolean;
  profilePictureUrl: string | null;
}

export interface FoundSession extends Viewer {
  /** Set when this request renewed the session: its cookie now lasts until then. */
  renewedUntil: Date | null;
}

/** What is known of a session when it begins. */
export interface NewSession {
  now?: Date;
  /** The User-Agent header, for the list of one's devices. */
  userAgent?: string | null;
  passedSecondFactor?: boolean;
}

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;
/** An admin's short session has to be noted as used more often than another's. */
const RENEW_AFTER = { admin: 10 * 60 * 1_000, player: DAY };
const USER_AGENT_MAX = 200;
const SESSIONS_MAX = 50;

/**
 * The live session of a cookie's token, or null. It ends 30 days after its last use, an admin's
 * after 12 hours, any 90 days after it began. Its use is noted once a day, an admin's every ten
 * minutes. The role is read every time, so that giving it or taking it away takes effect; a
 * suspended or deleted account has no session.
 */
export async function findSession(
  db: Db,
  token: string,
  now: Date,
  { isRenewed = true } = {},
): Promise<FoundSession | null> {
  const hash = hashToken(token);
  const row = await readSession(db, hash, now);
  if (!row) return null;
  return {
    userId: row.user_id,
    sessionId: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    balanceCents: centsFromNumeric(row.wallet_balance_eur),
    debtCents: centsFromNumeric(row.wallet_debt_eur),
    isAdmin: row.is_admin,
    hasSecondFactor: row.has_second_factor,
    passedSecondFactor: row.passed_second_factor,
    profilePictureUrl: row.profile_picture_url,
    renewedUntil: isRenewed ? await renewIfDue(db, row, now) : null,
  };
}

/** Opens a session of an account, on which nothing is checked any more. */
export async function openSession(
  db: Db,
  userId: string,
  { now = new Date(), userAgent = null, passedSecondFactor = false }: NewSession = {},
): Promise<OpenedSession> {
  await forgetExpiredSessions(db, now);
  const token = newToken();
  const session = await db
    .insertInto("sessions")
    .values({
      user_id: userId,
      token: hashToken(token),
      expires_at: storedEnd(now, now),
      created_at: now,
      updated_at: now,
      user_agent: userAgent?.slice(0, USER_AGENT_MAX) || null,
      second_factor_at: passedSecondFactor ? now : null,
    })
    .returning((eb) => isAdmin(eb).as("is_admin"))
    .executeTakeFirstOrThrow();
  await closeOldest(db, userId, token);
  return { token, expiresAt: cookieEnd(now, now, session.is_admin) };
}

/** Nobody uses more devices than this; the list of them stays one that can be read. */
async function closeOldest(db: Db, userId: string, newest: string): Promise<void> {
  await sql`delete from sessions where id in (
    select id from sessions where user_id = ${userId} and token <> ${hashToken(newest)}
    order by updated_at desc offset ${SESSIONS_MAX - 1} for update skip locked
  )`.execute(db);
}

export async function closeSession(db: Db, token: string): Promise<void> {
  await db.deleteFrom("sessions").where("token", "=", hashToken(token)).execute();
}

/** The same session under a token that nobody has seen yet. */
export async function renameSession(tx: Tx, sessionId: string): Promise<OpenedSession | null> {
  const next = newToken();
  const session = await tx
    .updateTable("sessions")
    .set({ token: hashToken(next) })
    .where("id", "=", sessionId)
    .returning("expires_at")
    .executeTakeFirst();
  return session ? { token: next, expiresAt: session.expires_at } : null;
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
    .leftJoin("second_factors", "second_factors.user_id", "sessions.user_id")
    .select([
      "sessions.id",
      "sessions.user_id",
      "sessions.created_at",
      "sessions.updated_at",
      "users.email",
      "profiles.first_name",
      "profiles.last_name",
      "profiles.wallet_balance_eur",
      "profiles.wallet_debt_eur",
      "profiles.profile_picture_url",
    ])
    .select((eb) => [
      isAdmin(eb).as("is_admin"),
      eb("second_factors.user_id", "is not", null).$castTo<boolean>().as("has_second_factor"),
      eb.fn
        .coalesce(
          eb("sessions.second_factor_at", ">=", eb.ref("second_factors.created_at")),
          eb.lit(false),
        )
        .$castTo<boolean>()
        .as("passed_second_factor"),
    ])
    .where("sessions.token", "=", tokenHash)
    .where("sessions.expires_at", ">", now)
    .where("sessions.created_at", ">", new Date(now.getTime() - SESSION_MAX_DAYS * DAY))
    .where((eb) =>
      eb.or([
        eb("sessions.updated_at", ">", new Date(now.getTime() - ADMIN_IDLE_HOURS * HOUR)),
        eb.not(isAdmin(eb)),
      ]),
    )
    .where("users.suspended_at", "is", null)
    .where("profiles.deleted_at", "is", null)
    .executeTakeFirst();
}

function isAdmin(eb: ExpressionBuilder<Schema, "sessions">) {
  return eb
    .exists(
      eb
        .selectFrom("user_roles")
        .select("user_roles.role")
        .whereRef("user_roles.user_id", "=", "sessions.user_id")
        .where("user_roles.role", "=", "admin"),
    )
    .$castTo<boolean>();
}

interface UsedSession {
  id: string;
  created_at: Date;
  updated_at: Date;
  is_admin: boolean;
}

// Of several requests that find the session due, the first renews it; the others leave it alone.
async function renewIfDue(db: Db, session: UsedSession, now: Date): Promise<Date | null> {
  const wait = RENEW_AFTER[session.is_admin ? "admin" : "player"];
  const dueSince = new Date(now.getTime() - wait);
  if (session.updated_at > dueSince) return null;
  const renewed = await db
    .updateTable("sessions")
    .set({ expires_at: storedEnd(session.created_at, now), updated_at: now })
    .where("id", "=", session.id)
    .where("updated_at", "<=", dueSince)
    .executeTakeFirst();
  if (renewed.numUpdatedRows === 0n) return null;
  return cookieEnd(session.created_at, now, session.is_admin);
}

/** As for a player, since the role may change; the query knows the admins' rule. */
function storedEnd(beganAt: Date, now: Date): Date {
  return cookieEnd(beganAt, now, false);
}

function cookieEnd(beganAt: Date, now: Date, admin: boolean): Date {
  const idle = admin ? ADMIN_IDLE_HOURS * HOUR : SESSION_DAYS * DAY;
  return new Date(Math.min(now.getTime() + idle, beganAt.getTime() + SESSION_MAX_DAYS * DAY));
}

interface ListedSession {
  id: string;
  /** Such as "Chrome on Android". */
  device: string;
  beganAt: Date;
  /** Within a day. */
  lastUsedAt: Date;
}

/** The live sessions of whoever is signed in, the one used last first. */
export async function listSessions(
  db: Db,
  { userId, isAdmin }: Pick<Viewer, "userId" | "isAdmin">,
  now: Date,
): Promise<ListedSession[]> {
  const before = (hours: number) => new Date(now.getTime() - hours * HOUR);
  const sessions = await db
    .selectFrom("sessions")
    .select(["id", "user_agent", "created_at", "updated_at"])
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .where("created_at", ">", before(SESSION_MAX_DAYS * 24))
    .$if(isAdmin, (query) => query.where("updated_at", ">", before(ADMIN_IDLE_HOURS)))
    .orderBy("updated_at", "desc")
    .orderBy("id")
    .execute();
  return sessions.map(({ id, user_agent, created_at, updated_at }) => ({
    id,
    device: deviceWords(user_agent),
    beganAt: created_at,
    lastUsedAt: updated_at,
  }));
}

/** Ends a session of one's own, which may have ended already; false for another person's. */
export async function endSession(
  db: Db,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<boolean> {
  if (!isId(sessionId)) return false;
  await db
    .deleteFrom("sessions")
    .where("id", "=", sessionId)
    .where("user_id", "=", userId)
    .execute();
  const left = await db
    .selectFrom("sessions")
    .select("id")
    .where("id", "=", sessionId)
    .executeTakeFirst();
  return left === undefined;
}

/** Ends all sessions of an account but one. */
export async function endOtherSessions(
  db: Db | Tx,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<void> {
  await db
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .where("id", "!=", sessionId)
    .execute();
}

/** A browser and its system as people call them. */
export function deviceWords(userAgent: string | null): string {
  if (!userAgent) return "Unknown browser";
  const { browser, os } = Bowser.parse(userAgent);
  if (!browser.name) return "Unknown browser";
  return os.name ? `${browser.name} on ${os.name}` : browser.name;
}
