import type { listAttendees } from "#app/features/bookings/bookings.server.ts";
import { bibName } from "#app/features/teams/bibs.ts";
import { findLineup } from "#app/features/teams/lineups.server.ts";
import type { GameDetails } from "#app/features/games/games.server.ts";
import { singleFlight } from "#app/platform/single-flight.server.ts";
import type { App } from "#app/routes/context.server.ts";

interface TeamsFacts {
  isIn: boolean;
  isAdmin: boolean;
  viewerId: string;
  attendees: Awaited<ReturnType<typeof listAttendees>>;
}

/** Published teams, for players and admins; null for everybody else. */
export async function loadTeams({ db }: App, { id, status }: GameDetails, facts: TeamsFacts) {
  const { isIn, isAdmin, viewerId, attendees } = facts;
  if ((!isIn && !isAdmin) || status === "Cancelled") return null;
  const lineup = await singleFlight(db, `lineup ${id}`, () => findLineup(db, id));
  if (!lineup?.publishedAt || lineup.teams.length === 0) return null;
  const playersOf = (number: number | null) =>
    attendees
      .filter(({ team }) => team === number)
      .map(({ userId, firstName, lastName }) => ({
        userId,
        name: `${firstName} ${lastName}`,
        isViewer: userId === viewerId,
      }));
  const teams = lineup.teams.map(({ number, bib }) => ({ bib, players: playersOf(number) }));
  const own = teams.find(({ players }) => players.some(({ isViewer }) => isViewer));
  return { teams, unplaced: playersOf(null), own: own ? ownText(bibName(own.bib)) : null };
}

export type TeamsView = NonNullable<Awaited<ReturnType<typeof loadTeams>>>;

const ownText = (name: string) => `You play in ${name.startsWith("No ") ? "no bibs" : name}.`;
