import type { Updateable } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import type { Schema } from "#app/platform/schema.ts";

type Change = Pick<
  Updateable<Schema["profiles"]>,
  "position" | "nationality" | "nationality_code" | "sports_interests" | "is_down_to_play"
>;

/** Changes what a player says about their game. */
export async function updatePlayer(db: Db, userId: string, change: Change): Promise<void> {
  await db.updateTable("profiles").set(change).where("user_id", "=", userId).execute();
}
