import { addDays, helsinkiWallClock } from "#app/platform/clock.ts";

/** When a game is, by Helsinki's wall clock: "YYYY-MM-DD" and "HH:MM". */
export interface Slot {
  date: string;
  startTime: string;
  /** Before the start it is past midnight. */
  endTime: string;
}

export const MOST_WEEKS = 26;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

/** The slot and its repetitions a week apart, all at the same time of the wall clock. */
export function weeklySlots(slot: Slot, weeks: number): Slot[] {
  return Array.from({ length: weeks }, (_, week) => ({
    ...slot,
    date: addDays(slot.date, 7 * week),
  }));
}

/** The day on which it ends. */
export function endDate({ date, startTime, endTime }: Slot): string {
  return endTime < startTime ? addDays(date, 1) : date;
}

/**
 * The kick-off; null where the clock never shows it, on the night when it goes forward. Of an hour
 * that comes twice it is the second, as the database has it.
 */
export function kickOff({ date, startTime }: Pick<Slot, "date" | "startTime">): Date | null {
  const asUtc = minutesOf(date, startTime) * MINUTE_MS;
  const candidates = [2, 3].map((hours) => new Date(asUtc - hours * 60 * MINUTE_MS));
  return (
    candidates.find((at) => helsinkiWallClock(at).slice(0, 16) === `${date} ${startTime}`) ?? null
  );
}

/** The date and time of the slot that the clock never shows, if there is one. */
export function missingTime(slot: Slot): { date: string; time: string } | null {
  if (!kickOff(slot)) return { date: slot.date, time: slot.startTime };
  const end = { date: endDate(slot), startTime: slot.endTime };
  return kickOff(end) ? null : { date: end.date, time: end.startTime };
}

/**
 * Moves a slot as another one of its series was moved: by as many days and minutes, and by as much
 * longer or shorter. Null where that leaves no game of less than a day.
 */
export function shiftSlot(slot: Slot, { from, to }: { from: Slot; to: Slot }): Slot | null {
  const moved = startOf(to) - startOf(from);
  const length = lengthOf(slot) + lengthOf(to) - lengthOf(from);
  if (length <= 0 || length >= DAY_MINUTES) return null;
  const start = readable(startOf(slot) + moved);
  const end = readable(startOf(slot) + moved + length);
  return { date: start.date, startTime: start.time, endTime: end.time };
}

const startOf = ({ date, startTime }: Slot) => minutesOf(date, startTime);

/** Minutes on the wall clock, whatever it does that night. */
function lengthOf({ startTime, endTime }: Slot): number {
  const minutes = minutesOf("1970-01-01", endTime) - minutesOf("1970-01-01", startTime);
  return minutes > 0 ? minutes : minutes + DAY_MINUTES;
}

// A wall clock has no zone: counted in UTC every day has its 24 hours.
function minutesOf(date: string, time: string): number {
  return Date.parse(`${date}T${time}:00Z`) / MINUTE_MS;
}

function readable(minutes: number): { date: string; time: string } {
  const text = new Date(minutes * MINUTE_MS).toISOString();
  return { date: text.slice(0, 10), time: text.slice(11, 16) };
}
