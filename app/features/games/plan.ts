import type { Selectable } from "kysely";
import { centsFromNumeric, numericFromCents } from "#app/platform/money.ts";
import type { GameLevel, GameTables, NewGame } from "#app/platform/schema.ts";
import { decisionTime } from "./minimum-rules.ts";
import { clockTime } from "./rules.ts";
import { shiftSlot, type Slot, type SlotProblem, slotProblem } from "./time-slots.ts";

export interface GamePlan extends Slot {
  title: string;
  description: string;
  sport: string;
  venueId: string;
  maxPlayers: number;
  gameFormat: string;
  isOutdoor: boolean;
  /** For display only: a game's price is in credits. */
  priceCents: number;
  isFirstSessionFree: boolean;
  level: GameLevel | null;
  playerNotes: string;
  /** The game is called off with fewer; null where it is played in any case. */
  minPlayers: number | null;
  decidesHours: number;
}

type StoredPlan = Omit<
  Selectable<GameTables["games"]>,
  "seats_taken" | "spots_held" | "decides_at" | "decision" | "decided_at" | "decision_warned_at"
>;

export function planOf(game: StoredPlan): GamePlan {
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
    level: game.level,
    playerNotes: game.player_notes,
    minPlayers: game.min_players,
    decidesHours: Number(game.decides_hours),
  };
}

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
    level: plan.level,
    player_notes: plan.playerNotes,
    min_players: plan.minPlayers,
    decides_hours: plan.decidesHours,
  } satisfies NewGame;
}

type PlanField = keyof GamePlan;

export function changedFields(from: GamePlan, to: GamePlan): PlanField[] {
  return (Object.keys(from) as PlanField[]).filter((field) => from[field] !== to[field]);
}

/** Another time, place or price: those who wait agree again, players may leave for free. */
export const AGREED_FIELDS: PlanField[] = [
  "date",
  "startTime",
  "endTime",
  "venueId",
  "isFirstSessionFree",
];

/** Whether something changes that players relied on when they joined, so that they may leave. More
 * spots are none the worse for them. */
export function touchesPlayers(from: GamePlan, to: GamePlan): boolean {
  const changed = changedFields(from, to);
  return to.maxPlayers < from.maxPlayers || changed.some((field) => AGREED_FIELDS.includes(field));
}

export function changesSlot(from: GamePlan, to: GamePlan): boolean {
  return changedFields(from, to).some((field) => SLOT_FIELDS.includes(field));
}

const SLOT_FIELDS: PlanField[] = ["date", "startTime", "endTime", "venueId"];

export type PlanProblem =
  | SlotProblem
  | { reason: "decision-over"; date: string; at: Date }
  | { reason: "minimum-too-high"; date: string; maxPlayers: number };

export function planProblem(plan: GamePlan, now: Date, from?: GamePlan): PlanProblem | null {
  const { date, maxPlayers, minPlayers } = plan;
  const slot = slotProblem(plan, now);
  if (slot) return slot;
  if (minPlayers !== null && minPlayers > maxPlayers) {
    return { reason: "minimum-too-high", date, maxPlayers };
  }
  // A decision that has been made stays as it is.
  if (from && !movesDecision(from, plan)) return null;
  const at = decisionTime(plan);
  return at && at <= now ? { reason: "decision-over", date, at } : null;
}

const movesDecision = (from: GamePlan, to: GamePlan) =>
  changedFields(from, to).some((field) => DECISION_FIELDS.includes(field));

const DECISION_FIELDS: PlanField[] = ["date", "startTime", "minPlayers", "decidesHours"];

/** Copies the change to another game of the series and shifts its times; null if it cannot. */
export function planAlike(plan: GamePlan, change: { from: GamePlan; to: GamePlan }) {
  const slot = shiftSlot(plan, change);
  if (!slot) return null;
  const changed = Object.fromEntries(
    changedFields(change.from, change.to).map((field) => [field, change.to[field]]),
  );
  return { ...plan, ...changed, ...slot };
}
