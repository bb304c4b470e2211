import { aGame, NOW } from "./fixtures.ts";
import { wallClock } from "#app/platform/clock.ts";
import type { Db } from "#app/platform/db.server.ts";
import type { NewGame, PaymentStatus } from "#app/platform/schema.ts";
import type { GamePlan } from "#app/features/games/plan.ts";

interface PlayedGame {
  playerId: string;
  /** When it ended; it began 90 minutes before. */
  endedAt?: Date;
  paymentStatus?: PaymentStatus;
  game?: Partial<NewGame>;
}

/** A game with a booking of the player, written directly: the rules would not let anybody join it. */
export async function aPlayedGame(db: Db, wish: PlayedGame): Promise<string> {
  const { playerId, endedAt = NOW, paymentStatus = "Paid", game } = wish;
  const startedAt = new Date(endedAt.getTime() - 90 * 60_000);
  const { date, time: start_time } = wallClock(startedAt);
  const end_time = wallClock(endedAt).time;
  const gameId = await aGame(db, { date, start_time, end_time, ...game });
  await db
    .insertInto("bookings")
    .values({ user_id: playerId, game_id: gameId, payment_status: paymentStatus })
    .execute();
  return gameId;
}

/** So many games that count for the challenge at NOW. */
export async function playedGames(db: Db, playerId: string, count: number): Promise<string[]> {
  const games: string[] = [];
  for (let n = 1; n <= count; n += 1) {
    const endedAt = new Date(NOW.getTime() - n * 24 * 3_600_000);
    games.push(await aPlayedGame(db, { playerId, endedAt }));
  }
  return games;
}

/** A plan for an evening in December 2026. */
export function aPlan(venueId: string, wish: Partial<GamePlan> = {}): GamePlan {
  return {
    title: "Indoor futsal",
    description: "",
    sport: "Futsal",
    date: "2026-12-02",
    startTime: "19:00",
    endTime: "20:30",
    venueId,
    maxPlayers: 10,
    gameFormat: "5v5",
    isOutdoor: false,
    priceCents: 1_000,
    isFirstSessionFree: false,
    level: null,
    playerNotes: "",
    minPlayers: null,
    decidesHours: 3,
    ...wish,
  };
}
