const ZONE = "Europe/Helsinki";
const DAY_MS = 86_400_000;
const WALL_CLOCK = new Intl.DateTimeFormat("sv-SE", {
  timeZone: ZONE,
  dateStyle: "short",
  timeStyle: "medium",
});

export function helsinkiWallClock(instant: Date): string {
  return WALL_CLOCK.format(instant);
}

export function wallClock(instant: Date): { date: string; time: string } {
  const [date = "", time = ""] = helsinkiWallClock(instant).split(" ");
  return { date, time };
}

export function helsinkiDate(instant: Date): string {
  return wallClock(instant).date;
}

/** The UTC date of an instant, "YYYY-MM-DD": the "today" of the games query (specification, 9). */
export function utcDate(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/** Accepts 1900 to 2099: "26" typed as the year is 0026 in a date field. */
export function isDate(text: string): boolean {
  if (!/^(19|20)\d{2}-\d{2}-\d{2}$/.test(text)) return false;
  const day = midnightUtc(text);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** "YYYY-MM-DD" from that, 31.1.2000, 31/1/2000 and 2000.1.31; null for what is no date. */
export function readDate(typed: string): string | null {
  const parts = typed.split(/[-./ ]+/).filter(Boolean);
  const [year = "", month = "", day = ""] = parts[0]?.length === 4 ? parts : parts.reverse();
  const date = [year, month.padStart(2, "0"), day.padStart(2, "0")].join("-");
  return parts.length === 3 && isDate(date) ? date : null;
}

/** "HH:MM" from 18:00, 18.00, 9.30, 18:00:00 and 18; null for what is no time. */
export function readTime(typed: string): string | null {
  const [, hour = "", minute = "00"] =
    /^(\d{1,2})(?:[:.](\d{2}))?(?:[:.]\d{2})?$/.exec(typed) ?? [];
  const isTime = hour !== "" && Number(hour) < 24 && Number(minute) < 60;
  return isTime ? `${hour.padStart(2, "0")}:${minute}` : null;
}

export function addDays(date: string, days: number): string {
  return utcDate(new Date(midnightUtc(date).getTime() + days * DAY_MS));
}

export function helsinkiIso(instant: Date): string {
  const local = helsinkiWallClock(instant).replace(" ", "T");
  const minutes = Math.round((Date.parse(`${local}Z`) - instant.getTime()) / 60_000);
  const sign = minutes < 0 ? "-" : "+";
  const pad = (n: number) => String(n).padStart(2, "0");
  return `${local}${sign}${pad(Math.floor(Math.abs(minutes) / 60))}:${pad(Math.abs(minutes) % 60)}`;
}

export const monthDay = dateFormat({ month: "short", day: "numeric" });
export const monthDayYear = dateFormat({ month: "short", day: "numeric", year: "numeric" });
export const weekday = dateFormat({ weekday: "long" });
export const shortWeekday = dateFormat({ weekday: "short" });
const longDate = dateFormat({ weekday: "long", month: "long", day: "numeric", year: "numeric" });

export function upperWeekday(date: string): string {
  return weekday(date).toUpperCase();
}

export function upperLongDate(date: string): string {
  return longDate(date).toUpperCase();
}

export function weekdayAndTime(instant: Date): string {
  const { date, time } = wallClock(instant);
  return `${shortWeekday(date)} ${time.slice(0, 5)}`;
}

/** "Thu 19:00" within a week from now, otherwise "Thu Dec 3, 19:00"; by Helsinki's clock. */
export function dayAndTime(instant: Date, now: Date): string {
  const { date, time } = wallClock(instant);
  const isNear = date < addDays(helsinkiDate(now), 7);
  const day = isNear ? shortWeekday(date) : `${shortWeekday(date)} ${monthDay(date)},`;
  return `${day} ${time.slice(0, 5)}`;
}

export function timeText(instant: Date, now: Date): string {
  const { date, time } = wallClock(instant);
  return date === helsinkiDate(now) ? time.slice(0, 5) : dayAndTime(instant, now);
}

export function dateAndTime({ date, time }: { date: string; time: string }): string {
  return `${shortWeekday(date)}, ${monthDay(date)}, ${time.slice(0, 5)}`;
}

export function formatMoment(instant: Date): string {
  const { date, time } = wallClock(instant);
  return `${monthDayYear(date)}, ${time.slice(0, 5)}`;
}

// A calendar date has no zone: read and printed in UTC, it is the same day everywhere.
function midnightUtc(date: string): Date {
  return new Date(`${date}T00:00:00Z`);
}

function dateFormat(options: Intl.DateTimeFormatOptions): (date: string) => string {
  // Created once: creating a formatter takes fifty times as long as using it.
  const format = new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" });
  return (date) => format.format(midnightUtc(date));
}
