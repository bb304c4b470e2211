import { z } from "zod";
import { isDate, readTime } from "#app/platform/clock.ts";
import {
  amount,
  date,
  line,
  lines,
  plain,
  text,
  ticked,
  time,
  whole,
} from "#app/platform/fields.ts";
import { PLAYER_NOTES_MAX } from "#app/features/venues/rules.ts";
import { DECIDES_HOURS, LEAST_DECIDES_HOURS, MOST_DECIDES_HOURS } from "./minimum-rules.ts";
import { LEVELS, MAX_PLAYERS_LIMIT } from "./rules.ts";
import { MOST_WEEKS } from "./time-slots.ts";

export const planInput = z
  .object({
    title: limited("Title", 120, line).pipe(z.string().min(1, "Title is required")),
    description: limited("Description", 2_000, lines),
    sport: limited("Sport", 40, line).pipe(z.string().min(1, "Sport is required")),
    date: date.refine(isDate, "Enter a date with the whole year, such as 31.12.2026"),
    startTime: timeField("Enter when it starts, such as 18:00"),
    endTime: timeField("Enter when it ends, such as 19:30"),
    venueId: text.pipe(z.uuid("Choose a venue")),
    maxPlayers: plain.pipe(whole("Players", 1, MAX_PLAYERS_LIMIT)),
    gameFormat: limited("Format", 20, line).pipe(z.string().min(1, "Format is required")),
    surroundings: text.pipe(z.enum(["indoor", "outdoor"], "Choose indoor or outdoor")),
    priceEur: amount("Enter a price such as 10 or 9.50", { least: 0, most: 999_999 }),
    isFirstSessionFree: ticked,
    level: text.transform((value) => LEVELS.find((level) => level === value) ?? null),
    playerNotes: limited("Notes for players", PLAYER_NOTES_MAX, lines),
    minPlayers: plain
      .transform((typed) => typed || null)
      .pipe(whole("Minimum players", 1, 200).nullable()),
    decidesHours: plain.transform((typed, { addIssue }) => {
      const match = /^\d{1,3}(?:[.,]\d{1,2})?$/.exec(typed || String(DECIDES_HOURS));
      const hours = match ? Number(match[0].replace(",", ".")) : 0;
      if (hours >= LEAST_DECIDES_HOURS && hours <= MOST_DECIDES_HOURS) return hours;
      const range = `${LEAST_DECIDES_HOURS} to ${MOST_DECIDES_HOURS}`;
      addIssue({ code: "custom", message: `Enter hours from ${range}, such as 3 or 2.5` });
      return z.NEVER;
    }),
  })
  .refine(({ startTime, endTime }) => startTime !== endTime, {
    path: ["endTime"],
    error: "A game cannot end when it starts",
  })
  .transform(({ surroundings, priceEur, ...plan }) => ({
    ...plan,
    decidesHours: plan.minPlayers === null ? DECIDES_HOURS : plan.decidesHours,
    isOutdoor: surroundings === "outdoor",
    priceCents: priceEur,
  }));

export const weeksInput = z.object({
  weeks: plain.transform((typed) => typed || "1").pipe(whole("Weeks", 1, MOST_WEEKS)),
});

/** The dates of a series that are not played, separated by commas; without "weeks" none. */
export const seriesInput = weeksInput.extend({
  leftOut: plain.transform((typed) => typed.split(",").filter(isDate)),
});

function limited(label: string, most: number, kind: typeof line) {
  return kind.pipe(z.string().max(most, `${label} can have at most ${most} characters`));
}

function timeField(message: string) {
  return time.refine((typed) => readTime(typed) === typed, message);
}
