import type { Selectable } from "kysely";
import { centsFromNumeric, numericFromCents } from "#app/platform/money.ts";
import type { GamesTable } from "#app/platform/schema/games.ts";
import type { NewGame } from "#app/platform/schema.ts";
import { clockTime } from "./rules.ts";

/** What an organiser decides about a game. Times are "HH:MM" by Helsinki's clock. */
export interface GamePlan {
  title: string;
  description: string;
  sport: string;
  date: string;
  startTime: string;
  /** Before the start it is past midnight. */
  endTime: string;
  venueId: string;
  maxPlayers: number;
  gameFormat: string;
  isOutdoor: boolean;
  /** For display only; what a game costs is a matter of credits. */
  priceCents: number;
  isFirstSessionFree: boolean;
}

/** The plan of a stored game. */
export function planOf(game: Omit<Selectable<GamesTable>, "seats_taken">): GamePlan {
  return {
    title: game.title,
    description: game.description,
    sport: game.sport,
    date: game.date,
    startTime: clockTime(game.start_time),
    endTime: clockTime(game.end_time),
    venueId: game.venue_id,
    maxPlayers: game.max_players,
    gameFormat: game.game_format,
    isOutdoor: game.is_outdoor,
    priceCents: centsFromNumeric(game.price_eur),
    isFirstSessionFree: game.is_first_session_free,
  };
}

/** The columns of a plan. */
export function planColumns(plan: GamePlan) {
  return {
    title: plan.title,
    description: plan.description,
    sport: plan.sport,
    date: plan.date,
    start_time: plan.startTime,
    end_time: plan.endTime,
    venue_id: plan.venueId,
    max_players: plan.maxPlayers,
    game_format: plan.gameFormat,
    is_outdoor: plan.isOutdoor,
    price_eur: numericFromCents(plan.priceCents),
    is_first_session_free: plan.isFirstSessionFree,
  } satisfies NewGame;
}
