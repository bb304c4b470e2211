import type { Tx } from "#app/platform/db.server.ts";

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
