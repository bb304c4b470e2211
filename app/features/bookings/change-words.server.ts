import { monthDay, weekday } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { GameFacts } from "./rules.ts";
import { findVenueNames } from "#app/features/venues/venue-names.server.ts";
import type { Change } from "./emails.tsx";

/** What differs between two states of a game, in the words of a player. */
export async function describeChange(
  db: Db,
  before: GameFacts,
  after: GameFacts,
): Promise<Change[]> {
  const venues = await findVenueNames(db, [before.venueId, after.venueId]);
  const [from, to] = [wordsOf(before, venues), wordsOf(after, venues)];
  return LABELS.flatMap((label) =>
    from[label] === to[label] ? [] : [{ label, from: from[label], to: to[label] }],
  );
}

const LABELS = ["Date", "Time", "Venue", "Players", "First session free"] as const;

function wordsOf(game: GameFacts, venues: Map<string, string>) {
  return {
    Date: `${weekday(game.date)}, ${monthDay(game.date)}`,
    Time: `${game.startTime}–${game.endTime}${game.endTime < game.startTime ? " (next day)" : ""}`,
    Venue: venues.get(game.venueId) ?? "another place",
    Players: `at most ${game.maxPlayers}`,
    "First session free": game.isFirstSessionFree ? "yes" : "no",
  };
}
