import { z } from "zod";
import { lines } from "#app/platform/fields.ts";
import { CONTENT_MAX, TITLE_MAX } from "./rules.ts";

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
