import { sql } from "kysely";
import { recordAudit } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isId } from "#app/platform/ids.ts";
import { addressOf } from "./rules.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";

type RoleResult = { ok: true } | { ok: false; reason: "gone" | "suspended" | "last-admin" };

/** Takes effect with the next request. Never removes the role of the last admin who can sign in. */
export async function changeRole(
  db: Db,
  { userId: subject, isAdmin, actor }: { userId: string; isAdmin: boolean; actor: string },
): Promise<RoleResult> {
  return db.transaction().execute(async (tx) => {
    const status = await lockAccountStatus(tx, subject);
    if (!status) return { ok: false, reason: "gone" };
    if (status.isAdmin === isAdmin) return { ok: true };
    if (isAdmin && status.isSuspended) return { ok: false, reason: "suspended" };
    if (!isAdmin && (await lockAndCheckLastAdmin(tx, subject)))
      return { ok: false, reason: "last-admin" };
    const role = { user_id: subject, role: "admin" } as const;
    if (isAdmin) await tx.insertInto("user_roles").values(role).execute();
    else await tx.deleteFrom("user_roles").where("user_id", "=", subject).execute();
    const details = { before: { isAdmin: status.isAdmin }, after: { isAdmin } };
    const action = isAdmin ? "role.admin" : "role.player";
    await recordAudit(tx, { actor, action, subject, details });
    return { ok: true };
  });
}

type MadeAdmin = RoleResult | { ok: false; reason: "unconfirmed" };

export async function makeAdmin(db: Db, address: string, actor: string): Promise<MadeAdmin> {
  const email = addressOf(address);
  const users = db.selectFrom("users").select("id");
  const user = await users.where("email", "=", email).executeTakeFirst();
  if (!user) {
    const signUps = db.selectFrom("sign_ups").select("id");
    const signUp = await signUps.where("email", "=", email).executeTakeFirst();
    return { ok: false, reason: signUp ? "unconfirmed" : "gone" };
  }
  return changeRole(db, { userId: user.id, isAdmin: true, actor });
}

/** Ends all sessions; bookings stay. Nobody suspends themselves or the last admin. By email too. */
export async function suspendAccount(
  db: Db,
  jobs: Pick<Jobs, "enqueueEmails">,
  { userId: subject, reason, actor }: { userId: string; reason: string; actor: string },
  now: Date,
): Promise<{ ok: true } | { ok: false; reason: "gone" | "self" | "already" | "last-admin" }> {
  if (subject === actor) return { ok: false, reason: "self" };
  return db.transaction().execute(async (tx) => {
    const status = await lockAccountStatus(tx, subject);
    if (!status) return { ok: false, reason: "gone" };
    if (status.isSuspended) return { ok: false, reason: "already" };
    if (await lockAndCheckLastAdmin(tx, subject)) return { ok: false, reason: "last-admin" };
    await writeSuspension(tx, { userId: subject, reason, actor }, now);
    await jobs.enqueueEmails(tx, "account-suspended", [{ userId: subject, at: now.toISOString() }]);
    return { ok: true };
  });
}

export async function unsuspendAccount(
  db: Db,
  jobs: Pick<Jobs, "enqueueEmails">,
  { userId, actor }: { userId: string; actor: string },
  now: Date,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const status = await lockAccountStatus(tx, userId);
    if (!status?.isSuspended) return status !== null;
    await writeSuspension(tx, { userId, reason: null, actor }, now);
    await jobs.enqueueEmails(tx, "suspension-lifted", [{ userId, at: now.toISOString() }]);
    return true;
  });
}

export async function lockAccountStatus(tx: Tx, userId: string) {
  if (!isId(userId)) return null;
  await tx.selectFrom("users").select("id").where("id", "=", userId).forUpdate().execute();
  // Read after the lock, to see the change that the lock waited for.
  const { rows } = await sql<{ isAdmin: boolean; isSuspended: boolean }>`
    select exists (select from user_roles where user_id = users.id and role = 'admin') as "isAdmin",
      suspended_at is not null as "isSuspended"
    from users join profiles on profiles.user_id = users.id
    where users.id = ${userId} and deleted_at is null`.execute(tx);
  return rows[0] ?? null;
}

// Locks all admin roles, so that no two admins remove each other at once; after the user's row.
export async function lockAndCheckLastAdmin(tx: Tx, userId: string): Promise<boolean> {
  await tx
    .selectFrom("user_roles")
    .select("user_id")
    .where("role", "=", "admin")
    .orderBy("user_id")
    .forUpdate()
    .execute();
  // Read again: the lock may have waited for a suspension, which changes no role.
  const active = await tx
    .selectFrom("user_roles")
    .innerJoin("users", "users.id", "user_roles.user_id")
    .select("user_id")
    .where("role", "=", "admin")
    .where("suspended_at", "is", null)
    .execute();
  return active.length === 1 && active[0]?.user_id === userId;
}

async function writeSuspension(
  tx: Tx,
  { userId: subject, reason, actor }: { userId: string; reason: string | null; actor: string },
  now: Date,
): Promise<void> {
  const isSuspended = reason !== null;
  await tx
    .updateTable("users")
    .set({ suspended_at: isSuspended ? now : null, suspended_reason: reason, updated_at: now })
    .where("id", "=", subject)
    .execute();
  // A concurrent sign-in may still write a session, which is invalid during the suspension.
  await tx.deleteFrom("sessions").where("user_id", "=", subject).execute();
  const action = isSuspended ? "account.suspend" : "account.unsuspend";
  // Without the reason: the audit log is never deleted.
  const details = { before: { isSuspended: !isSuspended }, after: { isSuspended } };
  await recordAudit(tx, { actor, action, subject, details });
}
