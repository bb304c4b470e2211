import { aGame, ben, hoursLater, NOW, somePlayers } from "./fixtures.ts";
import type { TestDatabase } from "./db.ts";
import { editGame } from "#app/features/organise/edit-game.server.ts";
import { joinGame } from "#app/features/bookings/join-game.server.ts";
import { findPlannedGame } from "#app/features/games/admin-games.server.ts";
import type { GamePlan } from "#app/features/games/plan.ts";

/** When a game of `aGameToDecide` is decided, unless it is wished otherwise. */
export const DECISION = hoursLater(7);

/** A game in ten hours that takes three players, with so many in. */
export async function aGameToDecide(
  { db, jobs }: TestDatabase,
  players: number,
  wish: Parameters<typeof aGame>[1] = {},
) {
  const gameId = await aGame(db, { startsIn: 10, min_players: 3, ...wish });
  const playerIds = await somePlayers(db, players, 10);
  for (const playerId of playerIds) await joinGame(db, jobs, { gameId, playerId, now: NOW });
  return { gameId, playerIds };
}

export async function decisionOf({ db }: TestDatabase, gameId: string) {
  const game = (await findPlannedGame(db, gameId))!;
  const { status, decision, decidesAt, version } = game;
  const { decidesHours, minPlayers } = game.plan;
  return { status, decision, decidesAt, version, decidesHours, minPlayers };
}

/** Edits like an organiser who has seen whom it affects. */
export async function editPlan(
  { db, jobs }: TestDatabase,
  gameId: string,
  wish: Partial<GamePlan>,
  { now = NOW, withFollowing = false } = {},
) {
  const { plan, version } = (await findPlannedGame(db, gameId))!;
  return editGame(db, jobs, {
    ...{ gameId, actorId: await ben(db), version, now, withFollowing, confirmed: true },
    plan: { ...plan, ...wish },
  });
}
