import { joinGame } from "#app/features/bookings/join-game.server.ts";
import {
  makeTeams,
  moveToTeam,
  placeInTeams,
  publishTeams,
} from "#app/features/teams/change-teams.server.ts";
import { findLineup, teamsVersion } from "#app/features/teams/lineups.server.ts";
import type { TeamCount } from "#app/features/teams/rules.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { TestDatabase } from "./db.ts";
import { aGame, bookingsOf, NOW, somePlayers } from "./fixtures.ts";

/** Teams of a game. `unguarded`: the same database without a guard. */
export function teamsOf(database: TestDatabase, unguarded?: Db) {
  const writer = () => unguarded ?? database.db;
  const version = async (gameId: string) => teamsVersion(await findLineup(database.db, gameId));
  /** By a form that shows the teams as they are, unless it names others. */
  const form = async (gameId: string, seen?: number) => ({
    ...{ gameId, actorId: "an organiser", version: seen ?? (await version(gameId)) },
  });
  const join = async (gameId: string, playerId: string): Promise<string> => {
    const joined = await joinGame(database.db, database.jobs, { gameId, playerId, now: NOW });
    if (!joined.ok) throw new Error(joined.reason);
    return joined.bookingId;
  };
  /** The team of each booking; null for one in none. */
  const seats = async (gameId: string) =>
    (await bookingsOf(database.db, gameId)).map(({ id, team }) => ({ id, team }));
  return {
    version,
    join,
    /** A game with so many players in it, and their bookings. */
    async aGameOf(players: number, wish: Parameters<typeof aGame>[1] = {}) {
      const gameId = await aGame(database.db, { spots: 20, ...wish });
      const ids = await somePlayers(database.db, players, 20);
      const bookings: string[] = [];
      for (const playerId of ids) bookings.push(await join(gameId, playerId));
      return { gameId, players: ids, bookings };
    },
    make: async (
      gameId: string,
      count: TeamCount = 2,
      more: { seed?: number; seen?: number } = {},
    ) =>
      makeTeams(writer(), {
        ...(await form(gameId, more.seen)),
        ...{ count, seed: more.seed ?? 1, formKey: crypto.randomUUID() },
      }),
    move: async (gameId: string, bookingId: string, team: number, seen?: number) =>
      moveToTeam(writer(), { ...(await form(gameId, seen)), bookingId, team }),
    place: async (gameId: string, seen?: number) =>
      placeInTeams(writer(), await form(gameId, seen)),
    publish: async (gameId: string, isPublished = true, seen?: number) =>
      publishTeams(writer(), { ...(await form(gameId, seen)), isPublished, now: NOW }),
    seats,
    teamOf: async (gameId: string, bookingId: string) =>
      (await seats(gameId)).find(({ id }) => id === bookingId)?.team,
  };
}

/** How many are in each team. */
export function sizesOf(seats: { team: number | null }[]): number[] {
  const teams = new Set(seats.flatMap(({ team }) => team ?? []));
  return [...teams].toSorted().map((number) => seats.filter(({ team }) => team === number).length);
}
