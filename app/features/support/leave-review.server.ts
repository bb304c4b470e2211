import type { Db } from "#app/platform/db.server.ts";
import type { Jobs } from "#app/platform/jobs.server.ts";
import { isWithinLimit } from "./hourly-limit.server.ts";
import type { ReviewInput } from "./input.ts";

/**
 * Keeps a player's review in the organiser's inbox and mails it to the contact address. Answers
 * false, and keeps nothing, when this player has left too many within the hour.
 */
export async function leaveReview(
  db: Db,
  jobs: Jobs,
  { userId, rating, comment }: ReviewInput & { userId: string },
  now: Date,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    if (!(await isWithinLimit(tx, "reviews", userId, now))) return false;
    const { id } = await tx
      .insertInto("reviews")
      .values({ user_id: userId, rating, comment, created_at: now })
      .returning("id")
      .executeTakeFirstOrThrow();
    await jobs.enqueue(tx, "mail.review", { reviewId: id });
    return true;
  });
}
