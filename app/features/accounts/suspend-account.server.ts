import { recordDeed } from "#app/platform/audit.server.ts";
import type { Db, Tx } from "#app/platform/db.server.ts";
import { isLastAdmin } from "./forget-account.server.ts";
import { lockStanding } from "./lock-standing.server.ts";

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
    await close(tx, subject, reason, now);
    const details = { before: { isSuspended: false }, after: { isSuspended: true } };
    await recordDeed(tx, { actor, action: "account.suspend", subject, details });
    return { ok: true };
  });
}

async function close(tx: Tx, userId: string, reason: string, now: Date): Promise<void> {
  await tx
    .updateTable("users")
    .set({ suspended_at: now, suspended_reason: reason, updated_at: now })
    .where("id", "=", userId)
    .execute();
  // A sign-in under way may still write a session; it is none while the account is suspended.
  await tx.deleteFrom("sessions").where("user_id", "=", userId).execute();
}
