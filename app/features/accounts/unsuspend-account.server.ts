import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { lockStanding } from "./lock-standing.server.ts";

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
