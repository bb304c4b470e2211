import { addDays, helsinkiWallClock, isDate } from "#app/platform/clock.ts";

export interface Period {
  /** "YYYY-MM-DD" in Helsinki; both days belong to it. */
  fromDate: string;
  toDate: string;
  from: Date;
  /** The first instant after it. */
  to: Date;
}

// Before the site was made.
const FIRST = "2025-01-01";

/** Two days of a form, from the first to the last; an empty one is open. Null for what is no day. */
export function readPeriod(from: string | null, to: string | null, today: string): Period | null {
  const [fromDate, toDate] = [from || FIRST, to || today];
  if (!isDay(fromDate) || !isDay(toDate)) return null;
  return { fromDate, toDate, from: midnight(fromDate), to: midnight(addDays(toDate, 1)) };
}

const isDay = (text: string) => text.startsWith("20") && isDate(text);

/** When a day begins in Helsinki, two or three hours before it does in UTC. */
function midnight(date: string): Date {
  const winter = new Date(Date.parse(`${date}T00:00:00Z`) - 2 * 3_600_000);
  const isSummer = !helsinkiWallClock(winter).endsWith("00:00:00");
  return isSummer ? new Date(winter.getTime() - 3_600_000) : winter;
}
