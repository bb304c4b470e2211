import { z } from "zod";
import { addDays, isDate } from "#app/platform/clock.ts";
import { date, lines } from "#app/platform/fields.ts";
import { CONTENT_MAX, MOST_DAYS_AHEAD, TITLE_MAX } from "./rules.ts";

export const legalInput = z.object({
  title: lines
    .transform((title) => title.replaceAll(/\s+/g, " "))
    .pipe(
      z
        .string()
        .min(1, "Title is required")
        .max(TITLE_MAX, `Title can be at most ${TITLE_MAX} characters`),
    ),
  content: lines.pipe(
    z
      .string()
      .min(1, "Content is required")
      .max(CONTENT_MAX, `Content can be at most ${CONTENT_MAX.toLocaleString("en")} characters`),
  ),
});
export type LegalInput = z.infer<typeof legalInput>;

/** `today` is Helsinki's date; without a day the text holds at once. */
export const legalPlanInput = ({ today }: { today: string }) =>
  legalInput.extend({
    holdsFrom: date.pipe(
      z
        .string()
        .refine((day) => day === "" || isDate(day), { error: "Enter a date", abort: true })
        .refine(
          (day) => day === "" || (day > today && day <= addDays(today, MOST_DAYS_AHEAD)),
          `Choose a day from tomorrow to ${MOST_DAYS_AHEAD} days ahead, or none`,
        )
        .transform((day) => day || null),
    ),
  });
