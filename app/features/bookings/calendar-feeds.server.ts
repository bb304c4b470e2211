import { randomBytes } from "node:crypto";
import type { Db, Tx } from "#app/platform/db.server.ts";

export async function findFeedToken(db: Db, userId: string): Promise<string | null> {
  const feed = db.selectFrom("calendar_feeds").select("token").where("user_id", "=", userId);
  return (await feed.executeTakeFirst())?.token ?? null;
}

/** A feed that is on keeps its token, so that the calendars that have it go on. */
export async function turnOnFeed(db: Db, userId: string): Promise<void> {
  await db
    .insertInto("calendar_feeds")
    .values({ user_id: userId, token: newToken() })
    .onConflict((conflict) => conflict.column("user_id").doNothing())
    .execute();
}

/** Nobody finds the games under the old address any more. False where the feed is off. */
export async function renewFeed(db: Db, userId: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("calendar_feeds")
    .set({ token: newToken(), created_at: now })
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function turnOffFeed(db: Db | Tx, userId: string): Promise<void> {
  await db.deleteFrom("calendar_feeds").where("user_id", "=", userId).execute();
}

const newToken = () => randomBytes(16).toString("base64url");
