import type { Tx } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { issueConfirmation } from "./mail-links.server.ts";

/**
 * Sends a confirmation link of a sign-up, on the caller's transaction and under the person's lock.
 * The first mails of an hour to a `mailbox` go at once, later ones after growing pauses, and none
 * while too many wait. Earlier links stay valid.
 */
export async function sendConfirmation(
  tx: Tx,
  jobs: Jobs,
  to: { signUpId: string; mailbox: string },
  now: Date,
): Promise<void> {
  const issued = await issueConfirmation(tx, to, now);
  if (!issued) return;
  const { token, delaySeconds } = issued;
  const { signUpId } = to;
  await jobs.enqueue(tx, "mail.confirm-address", { signUpId, token }, { delaySeconds });
}
