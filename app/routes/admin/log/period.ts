import { helsinkiWallClock } from "../../../platform/clock.ts";

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
  if (!isDate(fromDate) || !isDate(toDate)) return null;
  return { fromDate, toDate, from: midnight(fromDate), to: midnight(dayAfter(toDate)) };
}

function isDate(text: string): boolean {
  if (!/^20\d\d-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function dayAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

/** When a day begins in Helsinki, two or three hours before it does in UTC. */
function midnight(date: string): Date {
  const winter = new Date(Date.parse(`${date}T00:00:00Z`) - 2 * 3_600_000);
  const isSummer = !helsinkiWallClock(winter).endsWith("00:00:00");
  return isSummer ? new Date(winter.getTime() - 3_600_000) : winter;
}
