import type { Tx } from "../../platform/db.server.ts";
import type { Jobs } from "../../platform/jobs.server.ts";
import { endOtherLinks, issueLink } from "./mail-links.server.ts";

/**
 * Sends a confirmation link to a user, on the caller's transaction. False when the account had as
 * many within the hour as it may, and none is sent. Earlier links stay valid unless `isOnlyLink`.
 */
export async function sendConfirmation(
  tx: Tx,
  jobs: Jobs,
  userId: string,
  now: Date,
  { isOnlyLink = false } = {},
): Promise<boolean> {
  const token = await issueLink(tx, "confirm", userId, now);
  if (!token) return false;
  if (isOnlyLink) await endOtherLinks(tx, "confirm", userId, token);
  await jobs.enqueue(tx, "mail.confirm-address", { userId, token });
  return true;
}
