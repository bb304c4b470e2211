import type { Tx } from "#app/platform/db.server.ts";
import { LETTERS_PER_HOUR } from "./rules.ts";

/**
 * Whether this player may send one more of them now. Locks the player, so that several at once are
 * counted one after another.
 */
export async function isWithinLimit(
  tx: Tx,
  table: "support_messages" | "reviews",
  userId: string,
  now: Date,
): Promise<boolean> {
  await tx.selectFrom("users").select("id").where("id", "=", userId).forNoKeyUpdate().execute();
  const { sent } = await tx
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as("sent"))
    .where("user_id", "=", userId)
    .where("created_at", ">", new Date(now.getTime() - 3_600_000))
    .executeTakeFirstOrThrow();
  return sent < LETTERS_PER_HOUR;
}
