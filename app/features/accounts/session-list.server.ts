import Bowser from "bowser";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { ADMIN_IDLE_HOURS, SESSION_MAX_DAYS } from "./rules.ts";
import type { Viewer } from "./sessions.server.ts";

interface ListedSession {
  id: string;
  /** Such as "Chrome on Android". */
  device: string;
  beganAt: Date;
  /** Within a day. */
  lastUsedAt: Date;
}

const HOUR = 60 * 60 * 1_000;

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
