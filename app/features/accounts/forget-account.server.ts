import type { Tx } from "#app/platform/db.server.ts";
import { lockAdmins } from "./lock-admins.server.ts";
import { forgetLinks } from "./mail-links.server.ts";
import { codesOf } from "./second-step.server.ts";
import { forgetAllFailures } from "./sign-in-attempts.server.ts";
import { deleteTwoFactor } from "./two-factor.server.ts";

interface Account {
  userId: string;
  email: string;
}

/** Locks an account that is to go; false where it has gone already. First in the lock order. */
export async function lockAccount(tx: Tx, { userId, email }: Account): Promise<boolean> {
  const user = await tx
    .selectFrom("users")
    .select("id")
    .where("id", "=", userId)
    .where("email", "=", email)
    .forUpdate()
    .executeTakeFirst();
  return user !== undefined;
}

/** Whether nobody else is an admin, as it stands under the lock of all of them. */
export async function isLastAdmin(tx: Tx, userId: string): Promise<boolean> {
  const admins = await lockAdmins(tx);
  return admins.length === 1 && admins[0] === userId;
}

/**
 * Takes everything from an account that leads to a person or lets one in: address, name, password,
 * sessions, links and roles. The row stays, for the books refer to it under `pseudonym`.
 * `person` is the address by Accounts.personOf.
 */
export async function forgetAccount(
  tx: Tx,
  { userId, person }: { userId: string; person: string },
  pseudonym: { email: string; name: string },
  now: Date,
): Promise<void> {
  await tx
    .updateTable("users")
    .set({
      ...pseudonym,
      email_verified: false,
      image: null,
      suspended_at: null,
      suspended_reason: null,
      updated_at: now,
    })
    .where("id", "=", userId)
    .execute();
  await tx.deleteFrom("accounts").where("user_id", "=", userId).execute();
  await tx.deleteFrom("sessions").where("user_id", "=", userId).execute();
  await tx.deleteFrom("user_roles").where("user_id", "=", userId).execute();
  await forgetLinks(tx, userId, ["confirmed", "reset", "exists"]);
  await deleteTwoFactor(tx, userId);
  await forgetAllFailures(tx, person);
  await forgetAllFailures(tx, codesOf(userId));
}
