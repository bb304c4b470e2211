import type { Db } from "#app/platform/db.server.ts";

/** One game of each kind of the demo data. */
export interface GameIds {
  /** Far ahead, with spots left and some taken, but not by the demo player. */
  open: string;
  full: string;
  /** Free for who has had no free session. */
  free: string;
  /** The demo player is in it. */
  joined: string;
  /** Without players. */
  empty: string;
}

const DEMO_DAYS = 90;

export async function findGames(db: Db): Promise<GameIds> {
  const games = await db
    .selectFrom("games")
    .select((eb) => [
      "id",
      "seats_taken",
      "max_players",
      "is_first_session_free",
      eb
        .exists(
          eb
            .selectFrom("bookings")
            .innerJoin("users", "users.id", "bookings.user_id")
            .select("bookings.id")
            .whereRef("game_id", "=", "games.id")
            .where("email", "=", "player@uni.example"),
        )
        .as("hasPlayer"),
    ])
    .where("status", "=", "Published")
    .where("starts_at", ">", new Date())
    // Other tests make games that are years ahead.
    .where("starts_at", "<", new Date(Date.now() + DEMO_DAYS * 86_400_000))
    .orderBy("starts_at", "desc")
    .execute();
  const one = (is: (game: (typeof games)[number]) => boolean) => {
    const game = games.find(is);
    if (!game) throw new Error("the demo data has no such game");
    return game.id;
  };
  const isFull = (game: (typeof games)[number]) => game.seats_taken === game.max_players;
  return {
    open: one((game) => game.seats_taken > 3 && !isFull(game) && !game.is_first_session_free),
    full: one(isFull),
    free: one((game) => game.is_first_session_free),
    joined: one((game) => Boolean(game.hasPlayer)),
    empty: one((game) => game.seats_taken === 0),
  };
}
