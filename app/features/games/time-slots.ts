import { addDays, helsinkiDate, helsinkiWallClock } from "#app/platform/clock.ts";

/** When a game is, by Helsinki's wall clock: "YYYY-MM-DD" and "HH:MM". */
export interface Slot {
  date: string;
  startTime: string;
  /** If before the start, it is on the next day. */
  endTime: string;
}

export const MOST_WEEKS = 26;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

export function weeklySlots(slot: Slot, weeks: number): Slot[] {
  return Array.from({ length: weeks }, (_, week) => ({
    ...slot,
    date: addDays(slot.date, 7 * week),
  }));
}

/** Null in the hour that spring skips; in autumn's double hour the second one, as in the database. */
export function kickOff({ date, startTime }: Pick<Slot, "date" | "startTime">): Date | null {
  const asUtc = minutesOf(date, startTime) * MINUTE_MS;
  const candidates = [2, 3].map((hours) => new Date(asUtc - hours * 60 * MINUTE_MS));
  return (
    candidates.find((at) => helsinkiWallClock(at).slice(0, 16) === `${date} ${startTime}`) ?? null
  );
}

export type SlotProblem =
  | { reason: "no-such-time"; date: string; time: string }
  | { reason: "past"; date: string };

export function slotProblem(slot: Slot, now: Date): SlotProblem | null {
  if (slot.date < helsinkiDate(now)) return { reason: "past", date: slot.date };
  const missing = missingTime(slot);
  if (missing) return { reason: "no-such-time", ...missing };
  return kickOff(slot)! > now ? null : { reason: "past", date: slot.date };
}

export function missingTime(slot: Slot): { date: string; time: string } | null {
  if (!kickOff(slot)) return { date: slot.date, time: slot.startTime };
  const end = { date: endDate(slot), startTime: slot.endTime };
  return kickOff(end) ? null : { date: end.date, time: end.startTime };
}

export function endDate({ date, startTime, endTime }: Slot): string {
  return endTime < startTime ? addDays(date, 1) : date;
}

export function instantsOf(slot: Slot): { startsAt: Date; endsAt: Date } {
  const startsAt = kickOff(slot);
  const endsAt = kickOff({ date: endDate(slot), startTime: slot.endTime });
  if (!startsAt || !endsAt) throw new RangeError("a time that does not exist");
  return { startsAt, endsAt };
}

/** The end that keeps a slot's length when its start moves, around midnight too; all "HH:MM". */
export function endAfterMove(slot: { from: string; to: string; endTime: string }): string {
  const [from, to, end] = [slot.from, slot.to, slot.endTime].map((time) =>
    minutesOf("1970-01-01", time),
  );
  const minutes = (((end! - from! + to!) % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;
  return new Date(minutes * MINUTE_MS).toISOString().slice(11, 16);
}

/** Moves and lengthens a slot as another of its series; null if that leaves no valid length. */
export function shiftSlot(slot: Slot, { from, to }: { from: Slot; to: Slot }): Slot | null {
  const moved = startOf(to) - startOf(from);
  const length = lengthOf(slot) + lengthOf(to) - lengthOf(from);
  if (length <= 0 || length >= DAY_MINUTES) return null;
  const start = toWallClock(startOf(slot) + moved);
  const end = toWallClock(startOf(slot) + moved + length);
  return { date: start.date, startTime: start.time, endTime: end.time };
}

const startOf = ({ date, startTime }: Slot) => minutesOf(date, startTime);

function lengthOf({ startTime, endTime }: Slot): number {
  const minutes = minutesOf("1970-01-01", endTime) - minutesOf("1970-01-01", startTime);
  return minutes > 0 ? minutes : minutes + DAY_MINUTES;
}

// Wall-clock minutes, counted in UTC so that every day has 24 hours.
function minutesOf(date: string, time: string): number {
  return Date.parse(`${date}T${time}:00Z`) / MINUTE_MS;
}

function toWallClock(minutes: number): { date: string; time: string } {
  const text = new Date(minutes * MINUTE_MS).toISOString();
  return { date: text.slice(0, 10), time: text.slice(11, 16) };
}
