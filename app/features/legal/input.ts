import { z } from "zod";
import { manyLines } from "#app/platform/text.ts";
import { CONTENT_MAX, TITLE_MAX } from "./rules.ts";

const text = z.preprocess(
  (value) => (typeof value === "string" ? manyLines(value) : ""),
  z.string(),
);

export const legalInput = z.object({
  title: text
    .transform((title) => title.replaceAll(/\s+/g, " "))
    .pipe(
      z
        .string()
        .min(1, "Title is required")
        .max(TITLE_MAX, `Title can be at most ${TITLE_MAX} characters`),
    ),
  content: text.pipe(
    z
      .string()
      .min(1, "Content is required")
      .max(CONTENT_MAX, `Content can be at most ${CONTENT_MAX.toLocaleString("en")} characters`),
  ),
});
export type LegalInput = z.infer<typeof legalInput>;
