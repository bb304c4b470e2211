import { kickOff, missingTime, type Slot } from "./slots.ts";

export type SlotProblem =
  /** The clock goes forward over this time of that night. */
  { reason: "no-such-time"; date: string; time: string } | { reason: "past"; date: string };

/** Why a game cannot be put there, if it cannot. */
export function slotProblem(slot: Slot, now: Date): SlotProblem | null {
  const missing = missingTime(slot);
  if (missing) return { reason: "no-such-time", ...missing };
  return kickOff(slot)! > now ? null : { reason: "past", date: slot.date };
}
