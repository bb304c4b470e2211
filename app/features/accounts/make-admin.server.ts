import type { Db } from "#app/platform/db.server.ts";
import { changeRole, type RoleAnswer } from "./change-role.server.ts";

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
