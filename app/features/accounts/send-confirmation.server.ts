import type { Tx } from "../../platform/db.server.ts";
import type { Jobs } from "../../platform/jobs.server.ts";
import { issueLink } from "./mail-links.server.ts";

/**
 * Sends a confirmation link to a user, on the caller's transaction. False when the account had as
 * many within the hour as it may, and none is sent.
 */
export async function sendConfirmation(
  tx: Tx,
  jobs: Jobs,
  userId: string,
  now: Date,
): Promise<boolean> {
  const token = await issueLink(tx, "confirm", userId, now);
  if (token) await jobs.enqueue(tx, "mail.confirm-address", { userId, token });
  return token !== null;
}
