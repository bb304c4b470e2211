import type { Db } from "#app/platform/db.server.ts";
import { recordResult } from "#app/features/teams/record-result.server.ts";
import type { TestDatabase } from "./db.ts";
import { hoursLater } from "./fixtures.ts";
import { teamsOf } from "./teams.ts";

/** One round each of two organisers at once, with the guards of `unguarded`, or without them. */
export interface Scene {
  database: TestDatabase;
  unguarded: Db;
}

const outcome = (action: Promise<{ ok: boolean; reason?: string }>) =>
  action.then(
    (result) => (result.ok ? "done" : result.reason!),
    (error: { constraint?: string }) => error.constraint ?? String(error),
  );

/** What became of both, and what the log says that was done. */
export interface Raced {
  results: string[];
  recorded: string[];
}

interface Round {
  scene: Scene;
  round: number;
  gameId: string;
}

/** Both look at the same teams; in turns of who begins. */
async function both(
  { scene, round, gameId }: Round,
  one: () => Promise<string>,
  other: () => Promise<string>,
): Promise<Raced> {
  const before = await listActions(scene, gameId);
  const [first, second] = round % 2 === 0 ? [one, other] : [other, one];
  const results = await Promise.all([first(), second()]);
  const recorded = (await listActions(scene, gameId)).slice(before.length);
  return { results: round % 2 === 0 ? results : results.toReversed(), recorded };
}

async function listActions({ database }: Scene, gameId: string) {
  const entries = database.db.selectFrom("audit_log").select("action");
  const found = await entries.where("subject", "=", gameId).orderBy("id").execute();
  return found.map(({ action }) => action);
}

async function aGameWithTeams({ database, unguarded }: Scene) {
  const own = teamsOf(database);
  const game = await own.aGameOf(6, { startsIn: 1 });
  await own.make(game.gameId, 2, { seed: 1 });
  const seen = await own.version(game.gameId);
  return { ...game, seen, ...teamsOf(database, unguarded) };
}

/** One makes the teams again, the other moves a player of those that both see. */
export async function makeWhileMoved(scene: Scene, round: number) {
  const { gameId, bookings, seen, make, move, teamOf } = await aGameWithTeams(scene);
  const to = 3 - (await teamOf(gameId, bookings[0]!))!;
  const { results, recorded } = await both(
    { scene, round, gameId },
    () => outcome(make(gameId, 2, { seed: 2, seen })),
    () => outcome(move(gameId, bookings[0]!, to, seen)),
  );
  const [made = "", moved = ""] = results;
  const isThere = moved === "done" && !recorded.includes("teams.move");
  return { results: [made, isThere ? "there already" : moved], recorded };
}

/** One makes the teams again, the other publishes those that both see. */
export async function makeWhilePublished(scene: Scene, round: number) {
  const { gameId, seen, make, publish } = await aGameWithTeams(scene);
  return both(
    { scene, round, gameId },
    () => outcome(make(gameId, 2, { seed: 2, seen })),
    () => outcome(publish(gameId, true, seen)),
  );
}

/** Two move the same player, or another each. */
export async function twoMoves(scene: Scene, round: number) {
  const { gameId, bookings, seen, move, teamOf } = await aGameWithTeams(scene);
  const [one, other] = [bookings[0]!, bookings[1]!];
  const [a, b] = [3 - (await teamOf(gameId, one))!, 3 - (await teamOf(gameId, other))!];
  return both(
    { scene, round, gameId },
    () => outcome(move(gameId, one, a, seen)),
    () => outcome(move(gameId, other, b, seen)),
  );
}

/** One records the score of the teams that the other makes again. */
export async function makeWhileRecorded(scene: Scene, round: number) {
  const { gameId, bookings, seen, make } = await aGameWithTeams(scene);
  const players = bookings.map((bookingId) => ({ bookingId, goals: 0, hasWon: false }));
  const form = { gameId, actorId: "an organiser", version: 0, teamsVersion: seen, players };
  const score = { firstScore: 2, secondScore: 1, now: hoursLater(4) };
  return both(
    { scene, round, gameId },
    () => outcome(make(gameId, 2, { seed: 2, seen })),
    () => outcome(recordResult(scene.unguarded, { ...form, ...score })),
  );
}
