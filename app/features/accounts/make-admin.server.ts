import { recordDeed } from "../../platform/audit.server.ts";
import type { Db } from "../../platform/db.server.ts";

/**
 * Gives the admin role to an existing account and records who did. Answers false where no account
 * has this address; giving it again changes nothing.
 */
export async function makeAdmin(db: Db, email: string, actor: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const user = await tx
      .selectFrom("users")
      .select("id")
      .where("email", "=", email.trim().toLowerCase())
      .executeTakeFirst();
    if (!user) return false;
    const given = await tx
      .insertInto("user_roles")
      .values({ user_id: user.id, role: "admin" })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    const isNew = (given.numInsertedOrUpdatedRows ?? 0n) > 0n;
    if (isNew) await recordDeed(tx, { actor, action: "role.admin", subject: user.id });
    return true;
  });
}
