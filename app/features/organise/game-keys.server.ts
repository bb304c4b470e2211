import { type Db, type Tx, isOneOf } from "#app/platform/db.server.ts";
import { confirmationKey } from "#app/features/games/warnings.server.ts";

/** A key of each game as a page shows it, by its id: another after an edit of it or of its venue. */
export async function listGameKeys(db: Db | Tx, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const games = await db
    .selectFrom("games")
    .innerJoin("venues", "venues.id", "venue_id")
    .select(["games.id", "games.version", "status", "venues.version as venueVersion"])
    .where(isOneOf("games.id", ids))
    .orderBy("games.id")
    .execute();
  return new Map(games.map((game) => [game.id, confirmationKey(game)]));
}

/** Key of several together, so that one more or fewer makes another. */
export async function gamesKey(db: Db | Tx, games: { id: string }[]): Promise<string> {
  const ids = games.map(({ id }) => id);
  return confirmationKey([...(await listGameKeys(db, ids)).values()]);
}

/** What publishing and unpublishing would change, by the form's intent. */
export async function listStatusKeys(
  db: Db,
  { id, seriesId, startsAt }: { id: string; seriesId: string | null; startsAt: Date },
  now: Date,
): Promise<Record<string, string>> {
  const games = await db
    .selectFrom("games")
    .select(["id", "status"])
    .where((eb) => {
      const later = [eb("starts_at", ">", startsAt), eb("starts_at", ">", now)];
      return eb.or([eb("id", "=", id), eb.and([eb("series_id", "=", seriesId), ...later])]);
    })
    .orderBy("id")
    .execute();
  const of = (status: string) => games.filter((game) => game.status === status);
  const own = games.filter((game) => game.id === id);
  return {
    publish: await gamesKey(db, own),
    "publish-following": await gamesKey(db, of("Draft")),
    unpublish: await gamesKey(db, own),
    "unpublish-following": await gamesKey(db, of("Published")),
  };
}
