import { z } from "zod";
import { isDate } from "#app/platform/clock.ts";
import { manyLines, oneLine } from "#app/platform/text.ts";
import { PLAYER_NOTES_MAX } from "#app/features/venues/rules.ts";
import { text } from "#app/features/accounts/input.ts";
import { DECIDES_HOURS, LEAST_DECIDES_HOURS, MOST_DECIDES_HOURS } from "./minimum-rules.ts";
import { LEVELS, MAX_PLAYERS_LIMIT } from "./rules.ts";
import { MOST_WEEKS } from "./time-slots.ts";

export const planInput = z
  .object({
    title: limited("Title", 120, oneLine).pipe(z.string().min(1, "Title is required")),
    description: limited("Description", 2_000, manyLines),
    sport: limited("Sport", 40, oneLine).pipe(z.string().min(1, "Sport is required")),
    date: text.refine(isDate, "Enter a date, with the whole year"),
    startTime: time("Enter when it starts"),
    endTime: time("Enter when it ends"),
    venueId: text.pipe(z.uuid("Choose a venue")),
    maxPlayers: text.pipe(whole("Players", 1, MAX_PLAYERS_LIMIT)),
    gameFormat: limited("Format", 20, oneLine).pipe(z.string().min(1, "Format is required")),
    surroundings: text.pipe(z.enum(["indoor", "outdoor"], "Choose indoor or outdoor")),
    priceEur: text.transform((typed, { addIssue }) => {
      const match = /^(\d{1,4})(?:[.,](\d{1,2}))?$/.exec(typed.trim());
      if (match) return Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
      addIssue({ code: "custom", message: "Enter a price such as 10 or 9.50" });
      return z.NEVER;
    }),
    isFirstSessionFree: text.transform((value) => value !== ""),
    level: text.transform((value) => LEVELS.find((level) => level === value) ?? null),
    playerNotes: limited("Notes for players", PLAYER_NOTES_MAX, manyLines),
    minPlayers: text
      .transform((typed) => typed.trim() || null)
      .pipe(whole("Minimum players", 1, 200).nullable()),
    decidesHours: text.transform((typed, { addIssue }) => {
      const match = /^\d{1,3}(?:[.,]\d{1,2})?$/.exec(typed.trim() || String(DECIDES_HOURS));
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
  weeks: text.transform((typed) => typed || "1").pipe(whole("Weeks", 1, MOST_WEEKS)),
});

function limited(name: string, most: number, tidy: (typed: string) => string) {
  return text
    .transform(tidy)
    .pipe(z.string().max(most, `${name} can have at most ${most} characters`));
}

// Browsers may send seconds as well.
function time(message: string) {
  return text
    .pipe(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d(:\d\d)?$/, message))
    .transform((typed) => typed.slice(0, 5));
}

function whole(name: string, least: number, most: number) {
  const message = `${name} must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,4}$/, message)
    .transform(Number)
    .pipe(z.number().min(least, message).max(most, message));
}
