import type { Db } from "#app/platform/db.server.ts";
import type { NewGame } from "#app/platform/schema.ts";

/** Adds a game, a draft unless the status says otherwise, and answers its id. */
export async function addGame(db: Db, game: NewGame): Promise<string> {
  const { id } = await db
    .insertInto("games")
    .values(game)
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}
