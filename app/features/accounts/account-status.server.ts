import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isLastAdmin } from "./users.server.ts";
import { sql } from "kysely";
import { isId } from "#app/platform/ids.ts";

interface RoleChange {
  userId: string;
  isAdmin: boolean;
  actor: string;
}

export type RoleAnswer = { ok: true } | { ok: false; reason: "gone" | "suspended" | "last-admin" };

/**
 * Makes an account an admin's, or takes that away, which the next request of theirs feels. Never
 * from the last admin who can sign in. What is so already stays, unrecorded.
 */
export async function changeRole(db: Db, change: RoleChange): Promise<RoleAnswer> {
  const { userId: subject, isAdmin, actor } = change;
  return db.transaction().execute(async (tx) => {
    const standing = await lockStanding(tx, subject);
    if (!standing) return { ok: false, reason: "gone" };
    if (standing.isAdmin === isAdmin) return { ok: true };
    if (isAdmin && standing.isSuspended) return { ok: false, reason: "suspended" };
    if (!isAdmin && (await isLastAdmin(tx, subject))) return { ok: false, reason: "last-admin" };
    await writeRole(tx, subject, isAdmin);
    const details = { before: { isAdmin: standing.isAdmin }, after: { isAdmin } };
    const action = isAdmin ? "role.admin" : "role.player";
    await recordDeed(tx, { actor, action, subject, details });
    return { ok: true };
  });
}

async function writeRole(tx: Tx, userId: string, isAdmin: boolean): Promise<void> {
  const role = { user_id: userId, role: "admin" } as const;
  if (isAdmin) await tx.insertInto("user_roles").values(role).execute();
  else await tx.deleteFrom("user_roles").where("user_id", "=", userId).execute();
}

/**
 * Gives the admin role to the account of an address, as the desk gives it. "gone" where no account
 * has it.
 */
export async function makeAdmin(db: Db, email: string, actor: string): Promise<RoleAnswer> {
  const user = await db
    .selectFrom("users")
    .select("id")
    .where("email", "=", email.trim().toLowerCase())
    .executeTakeFirst();
  if (!user) return { ok: false, reason: "gone" };
  return changeRole(db, { userId: user.id, isAdmin: true, actor });
}

interface Suspension {
  userId: string;
  /** For the organisers. It is kept beside the account, and not in the log, which keeps for ever. */
  reason: string;
  actor: string;
}

export type SuspensionAnswer =
  | { ok: true }
  | { ok: false; reason: "gone" | "self" | "already" | "last-admin" };

/**
 * Suspends an account: its sessions end at once, it cannot sign in or join. Bookings stay, for the
 * organisers to decide on. Nobody suspends themselves or the last admin who can sign in.
 */
export async function suspendAccount(
  db: Db,
  suspension: Suspension,
  now: Date,
): Promise<SuspensionAnswer> {
  const { userId: subject, reason, actor } = suspension;
  if (subject === actor) return { ok: false, reason: "self" };
  return db.transaction().execute(async (tx) => {
    const standing = await lockStanding(tx, subject);
    if (!standing) return { ok: false, reason: "gone" };
    if (standing.isSuspended) return { ok: false, reason: "already" };
    if (await isLastAdmin(tx, subject)) return { ok: false, reason: "last-admin" };
    await closeAccount(tx, subject, reason, now);
    const details = { before: { isSuspended: false }, after: { isSuspended: true } };
    await recordDeed(tx, { actor, action: "account.suspend", subject, details });
    return { ok: true };
  });
}

async function closeAccount(tx: Tx, userId: string, reason: string, now: Date): Promise<void> {
  await tx
    .updateTable("users")
    .set({ suspended_at: now, suspended_reason: reason, updated_at: now })
    .where("id", "=", userId)
    .execute();
  // A sign-in under way may still write a session; it is none while the account is suspended.
  await tx.deleteFrom("sessions").where("user_id", "=", userId).execute();
}

/**
 * Lets a suspended account sign in and join again; sessions of before stay ended. False where the
 * account is gone. One that is not suspended stays as it is, unrecorded.
 */
export async function unsuspendAccount(
  db: Db,
  { userId: subject, actor }: { userId: string; actor: string },
  now: Date,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const standing = await lockStanding(tx, subject);
    if (!standing?.isSuspended) return standing !== null;
    await tx
      .updateTable("users")
      .set({ suspended_at: null, suspended_reason: null, updated_at: now })
      .where("id", "=", subject)
      .execute();
    await tx.deleteFrom("sessions").where("user_id", "=", subject).execute();
    const details = { before: { isSuspended: true }, after: { isSuspended: false } };
    await recordDeed(tx, { actor, action: "account.unsuspend", subject, details });
    return true;
  });
}

export interface Standing {
  isAdmin: boolean;
  isSuspended: boolean;
}

/** Locks an account and answers how it stands; null where it is deleted or was never there. */
export async function lockStanding(tx: Tx, userId: string): Promise<Standing | null> {
  if (!isId(userId)) return null;
  const user = await tx
    .selectFrom("users")
    .select("id")
    .where("id", "=", userId)
    .forUpdate()
    .executeTakeFirst();
  if (!user) return null;
  // Read after the lock: what was waited for has been done.
  const { rows } = await sql<Standing>`
    select exists (select from user_roles where user_id = users.id and role = 'admin') as "isAdmin",
      suspended_at is not null as "isSuspended"
    from users join profiles on profiles.user_id = users.id
    where users.id = ${userId} and deleted_at is null`.execute(tx);
  return rows[0] ?? null;
}

/**
 * Locks the role of all admins and answers the ids of those who can sign in: of two who take each
 * other's role at the same moment, the second sees what the first has done. After the user's own
 * row in the lock order.
 */
export async function lockAdmins(tx: Tx): Promise<string[]> {
  await tx
    .selectFrom("user_roles")
    .select("user_id")
    .where("role", "=", "admin")
    .orderBy("user_id")
    .forUpdate()
    .execute();
  // Asked anew: what was waited for may have been a suspension, which changes no role.
  const active = await tx
    .selectFrom("user_roles")
    .innerJoin("users", "users.id", "user_roles.user_id")
    .select("user_id")
    .where("role", "=", "admin")
    .where("suspended_at", "is", null)
    .execute();
  return active.map((admin) => admin.user_id);
}
