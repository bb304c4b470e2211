import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isLastAdmin } from "./forget-account.server.ts";
import { lockStanding } from "./lock-standing.server.ts";

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
