import { addDays, helsinkiDate, helsinkiWallClock, wallClock } from "#app/platform/clock.ts";

export interface WallClockSlot {
  date: string;
  start_time: string;
  end_time: string;
}

const COUNT = 5;

/**
 * Five slots that ended in this Helsinki month, latest last: evenings of the days before today,
 * or, in a month's first days, squeezed between its first midnight and now.
 */
export function slotsOfThisMonth(now: Date): WallClockSlot[] {
  const today = helsinkiDate(now);
  if (Number(today.slice(8)) > COUNT) {
    return Array.from({ length: COUNT }, (_, index) => eveningSlot(today, index - COUNT));
  }
  const month = firstInstantOfMonth(now).getTime();
  const step = Math.floor((now.getTime() - month) / COUNT);
  return Array.from({ length: COUNT }, (_, index) => {
    const end = month + (index + 1) * step;
    // A second long at least, also in the month's first seconds.
    return slot(new Date(end - Math.max(1_000, Math.min(step, 90 * 60_000))), new Date(end));
  });
}

/** 18:00 to 19:30, `days` from a date. */
export function eveningSlot(today: string, days: number): WallClockSlot {
  return { date: addDays(today, days), start_time: "18:00:00", end_time: "19:30:00" };
}

function slot(start: Date, end: Date): WallClockSlot {
  const { date, time } = wallClock(start);
  return { date, start_time: time, end_time: wallClock(end).time };
}

// Helsinki's clocks never change on the first of a month, so the wall clock may be counted back.
function firstInstantOfMonth(now: Date): Date {
  const wall = helsinkiWallClock(now);
  const elapsed =
    Date.parse(`${wall.replace(" ", "T")}Z`) - Date.parse(`${wall.slice(0, 8)}01T00:00:00Z`);
  const days = Number(wall.slice(8, 10));
  // Before the change of a month's last Sunday there is nothing to correct within its first days.
  if (days > COUNT) throw new Error("only for a month's first days");
  return new Date(Math.floor((now.getTime() - elapsed) / 1_000) * 1_000);
}
