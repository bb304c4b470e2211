import Bowser from "bowser";
import { sql } from "kysely";
import { type Db, inCents, isOneOf, type Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { ADMIN_IDLE_HOURS, SESSION_DAYS, SESSION_MAX_DAYS } from "./rules.ts";
import { hashToken, newToken } from "#app/platform/secrets.server.ts";

export interface OpenedSession {
  /** For the cookie; the database holds only its hash. */
  token: string;
  expiresAt: Date;
}

export interface Viewer {
  userId: string;
  sessionId: string;
  firstName: string;
  lastName: string;
  email: string;
  balanceCents: number;
  debtCents: number;
  isAdmin: boolean;
  hasSecondFactor: boolean;
  passedSecondFactor: boolean;
  profilePictureUrl: string | null;
}

export interface NewSession {
  now?: Date;
  userAgent?: string | null;
  passedSecondFactor?: boolean;
}

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;
const RENEW_AFTER = { admin: 10 * 60 * 1_000, player: DAY };
const USER_AGENT_MAX = 200;
const SESSIONS_MAX = 50;

/** Null for a suspended or deleted account too. `renewedUntil`: the cookie's new end if renewed. */
export async function findSession(
  db: Db,
  token: string,
  now: Date,
  { isRenewed = true } = {},
): Promise<(Viewer & { renewedUntil: Date | null }) | null> {
  const session = await readSession(db, hashToken(token), now);
  if (!session) return null;
  const { beganAt: _, usedAt: __, ...viewer } = session;
  return { ...viewer, renewedUntil: isRenewed ? await renewIfDue(db, session, now) : null };
}

export async function openSession(
  db: Db,
  userId: string,
  { now = new Date(), userAgent = null, passedSecondFactor = false }: NewSession = {},
): Promise<OpenedSession> {
  await deleteExpiredSessions(db, now);
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
    .returning(IS_ADMIN.as("is_admin"))
    .executeTakeFirstOrThrow();
  await closeOldest(db, userId, token);
  return { token, expiresAt: cookieEnd(now, now, session.is_admin) };
}

async function closeOldest(db: Db, userId: string, newest: string): Promise<void> {
  await sql`delete from sessions where id in (
    select id from sessions where user_id = ${userId} and token <> ${hashToken(newest)}
    order by updated_at desc offset ${SESSIONS_MAX - 1} for update skip locked
  )`.execute(db);
}

export async function closeSession(db: Db, token: string): Promise<void> {
  await db.deleteFrom("sessions").where("token", "=", hashToken(token)).execute();
}

export async function rotateSession(tx: Tx, sessionId: string): Promise<OpenedSession | null> {
  const next = newToken();
  const session = await tx
    .updateTable("sessions")
    .set({ token: hashToken(next) })
    .where("id", "=", sessionId)
    .returning("expires_at")
    .executeTakeFirst();
  return session ? { token: next, expiresAt: session.expires_at } : null;
}

async function deleteExpiredSessions(db: Db, now: Date): Promise<void> {
  await sql`delete from sessions where id in (
    select id from sessions where expires_at < ${now} limit 20 for update skip locked
  )`.execute(db);
}

/** For a query on `sessions`: neither too old nor, of an admin, unused for too long. */
export function isSessionLive(now: Date) {
  const ago = (hours: number) => new Date(now.getTime() - hours * HOUR);
  return sql<boolean>`(sessions.expires_at > ${now}
    and sessions.created_at > ${ago(SESSION_MAX_DAYS * 24)}
    and (sessions.updated_at > ${ago(ADMIN_IDLE_HOURS)} or not ${IS_ADMIN}))`;
}

type Organising = Pick<Viewer, "isAdmin" | "hasSecondFactor" | "passedSecondFactor">;
type Factors = { adminTwoFactor: "optional" | "required" };

/** The missing part of an admin's second factor: its setup, or its code. */
export function missingFactor(
  viewer: Pick<Viewer, "hasSecondFactor" | "passedSecondFactor">,
  { adminTwoFactor }: Factors,
): "setup" | "code" | null {
  if (viewer.hasSecondFactor) return viewer.passedSecondFactor ? null : "code";
  return adminTwoFactor === "required" ? "setup" : null;
}

/** The admin role alone is not enough: what organisers see and do takes their second factor. */
export const mayOrganise = (viewer: Organising | null, factors: Factors): boolean =>
  viewer !== null && viewer.isAdmin && missingFactor(viewer, factors) === null;

/** Whom these tokens sign in now: for streams, which outlive the request that was let in. */
export async function listSignedIn(db: Db, tokens: Iterable<string>, now: Date) {
  const signedIn = new Map<string, Organising & { userId: string }>();
  const tokenOf = new Map([...new Set(tokens)].map((token) => [hashToken(token), token]));
  const hashes = [...tokenOf.keys()];
  for (let from = 0; from < hashes.length; from += SESSIONS_AT_ONCE) {
    const part = hashes.slice(from, from + SESSIONS_AT_ONCE);
    const found = openSessions(db, now)
      .select(["sessions.token", "sessions.user_id as userId"])
      .where(isOneOf("sessions.token", part, "text"));
    for (const { token, ...viewer } of await found.execute()) {
      signedIn.set(tokenOf.get(token)!, viewer);
    }
  }
  return signedIn;
}

const SESSIONS_AT_ONCE = 1_000;

async function readSession(db: Db, tokenHash: string, now: Date) {
  return openSessions(db, now)
    .select(["sessions.id as sessionId", "sessions.user_id as userId", "users.email"])
    .select(["sessions.created_at as beganAt", "sessions.updated_at as usedAt"])
    .select(["profiles.first_name as firstName", "profiles.last_name as lastName"])
    .select("profiles.profile_picture_url as profilePictureUrl")
    .select(inCents("wallet_balance_eur").as("balanceCents"))
    .select(inCents("wallet_debt_eur").as("debtCents"))
    .where("sessions.token", "=", tokenHash)
    .executeTakeFirst();
}

function openSessions(db: Db, now: Date) {
  return db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .innerJoin("profiles", "profiles.user_id", "sessions.user_id")
    .leftJoin("second_factors", "second_factors.user_id", "sessions.user_id")
    .select(IS_ADMIN.as("isAdmin"))
    .select(sql<boolean>`second_factors.user_id is not null`.as("hasSecondFactor"))
    .select(PASSED_SECOND_FACTOR.as("passedSecondFactor"))
    .where(isSessionLive(now))
    .where("users.suspended_at", "is", null)
    .where("profiles.deleted_at", "is", null);
}

const PASSED_SECOND_FACTOR = sql<boolean>`
  coalesce(second_factor_at >= second_factors.created_at, false)`;
const IS_ADMIN = sql<boolean>`exists (
  select from user_roles where user_roles.user_id = sessions.user_id and role = 'admin')`;

// Only the first of several requests that find the session due renews it.
async function renewIfDue(
  db: Db,
  session: NonNullable<Awaited<ReturnType<typeof readSession>>>,
  now: Date,
): Promise<Date | null> {
  const { sessionId, isAdmin: forAdmin, beganAt, usedAt } = session;
  const dueSince = new Date(now.getTime() - RENEW_AFTER[forAdmin ? "admin" : "player"]);
  if (usedAt > dueSince) return null;
  const renewed = await db
    .updateTable("sessions")
    .set({ expires_at: storedEnd(beganAt, now), updated_at: now })
    .where("id", "=", sessionId)
    .where("updated_at", "<=", dueSince)
    .executeTakeFirst();
  return renewed.numUpdatedRows > 0n ? cookieEnd(beganAt, now, forAdmin) : null;
}

// Always the player's limit, since the role may change; the query applies the admins'.
function storedEnd(beganAt: Date, now: Date): Date {
  return cookieEnd(beganAt, now, false);
}

function cookieEnd(beganAt: Date, now: Date, forAdmin: boolean): Date {
  const idle = forAdmin ? ADMIN_IDLE_HOURS * HOUR : SESSION_DAYS * DAY;
  return new Date(Math.min(now.getTime() + idle, beganAt.getTime() + SESSION_MAX_DAYS * DAY));
}

export async function listSessions(
  db: Db,
  { userId, isAdmin }: Pick<Viewer, "userId" | "isAdmin">,
  now: Date,
) {
  const before = (hours: number) => new Date(now.getTime() - hours * HOUR);
  const sessions = await db
    .selectFrom("sessions")
    .select(["id", "user_agent", "created_at as beganAt", "updated_at as lastUsedAt"])
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .where("created_at", ">", before(SESSION_MAX_DAYS * 24))
    .$if(isAdmin, (query) => query.where("updated_at", ">", before(ADMIN_IDLE_HOURS)))
    .orderBy("updated_at", "desc")
    .orderBy("id")
    .execute();
  return sessions.map(({ user_agent, ...session }) => ({
    ...session,
    device: deviceName(user_agent),
  }));
}

/** True also if it has ended already; false for another user's. */
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
  const left = db.selectFrom("sessions").select("id").where("id", "=", sessionId);
  return (await left.executeTakeFirst()) === undefined;
}

/** Null ends all sessions. */
export async function endOtherSessions(
  db: Db | Tx,
  { userId, sessionId }: { userId: string; sessionId: string | null },
): Promise<void> {
  await db
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .where("id", "is distinct from", sessionId)
    .execute();
}

/** Includes the links to choose a password: a restore would bring back ended ones. */
export async function endAllSessions(tx: Tx): Promise<void> {
  await tx.deleteFrom("sessions").execute();
  await tx.deleteFrom("verifications").where("identifier", "like", "reset:%").execute();
}

export function deviceName(userAgent: string | null): string {
  if (!userAgent) return "Unknown browser";
  const { browser, os } = Bowser.parse(userAgent);
  if (!browser.name) return "Unknown browser";
  return os.name ? `${browser.name} on ${os.name}` : browser.name;
}
