import type { GamePlan } from "./plan.server.ts";
import { shiftSlot } from "./slots.ts";

type PlanField = keyof GamePlan;

/** What a player has decided on; when it changes, they may decide again. */
const MATTERS_TO_PLAYERS: PlanField[] = [
  "date",
  "startTime",
  "endTime",
  "venueId",
  "maxPlayers",
  "isFirstSessionFree",
];

/** The fields in which two plans differ. */
export function changedFields(from: GamePlan, to: GamePlan): PlanField[] {
  return (Object.keys(from) as PlanField[]).filter((field) => from[field] !== to[field]);
}

/** Whether who has joined must be asked again. */
export function touchesPlayers(from: GamePlan, to: GamePlan): boolean {
  return changedFields(from, to).some((field) => MATTERS_TO_PLAYERS.includes(field));
}

/**
 * The plan of another game of the series after `from` became `to`: it takes what was changed and
 * keeps the rest as it is; its times shift by as much. Null where its times cannot.
 */
export function planAlike(plan: GamePlan, change: { from: GamePlan; to: GamePlan }) {
  const slot = shiftSlot(plan, change);
  if (!slot) return null;
  const changed = Object.fromEntries(
    changedFields(change.from, change.to).map((field) => [field, change.to[field]]),
  );
  return { ...plan, ...changed, ...slot };
}
