import type { Db } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { isWithinLimit } from "./hourly-limit.server.ts";
import type { MessageInput } from "./input.ts";

/**
 * Keeps a player's message in the organiser's inbox and mails it to the contact address. Answers
 * false, and keeps nothing, when this player has sent too many within the hour.
 */
export async function sendMessage(
  db: Db,
  jobs: Jobs,
  { userId, subject, message }: MessageInput & { userId: string },
  now: Date,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    if (!(await isWithinLimit(tx, "support_messages", userId, now))) return false;
    const { id } = await tx
      .insertInto("support_messages")
      .values({ user_id: userId, subject, message, created_at: now })
      .returning("id")
      .executeTakeFirstOrThrow();
    await jobs.enqueue(tx, "mail.support-message", { messageId: id });
    return true;
  });
}
