import type { Db } from "#app/platform/db.server.ts";
import type { NewGame, NewVenue } from "#app/platform/schema.ts";

// For the demo and for tests; organisers go through createGames and the forms of venues.

export async function addGame(db: Db, game: NewGame): Promise<string> {
  const added = db.insertInto("games").values(game).returning("id");
  return (await added.executeTakeFirstOrThrow()).id;
}

export async function addVenue(db: Db, venue: NewVenue): Promise<string> {
  const added = db.insertInto("venues").values(venue).returning("id");
  return (await added.executeTakeFirstOrThrow()).id;
}
