import type { Db } from "#app/platform/db.server.ts";
import { distinctNotes } from "#app/features/seats/rules.ts";

/** Only for those who play, and admins: it may hold the code of a gate. Newest message first. */
export async function findOrganiserNotes(db: Db, gameId: string) {
  const [game, messages] = await Promise.all([
    db
      .selectFrom("games")
      .innerJoin("venues", "venues.id", "venue_id")
      .select(["venues.player_notes as ofVenue", "games.player_notes as ofGame"])
      .where("games.id", "=", gameId)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom("game_messages")
      .select(["id", "subject", "message", "sent_at as sentAt"])
      .where("game_id", "=", gameId)
      .orderBy("sent_at", "desc")
      .orderBy("id")
      .execute(),
  ]);
  const notes = distinctNotes([game.ofGame, game.ofVenue]).map((text) => ({
    text,
    isOfVenue: text === game.ofVenue,
  }));
  return { notes, messages };
}
