import { z } from "zod";
import { CONTENT_MAX, TITLE_MAX } from "./rules.ts";

/** A text field; PostgreSQL keeps no NUL, and forms end their lines with two characters. */
const text = z.preprocess(
  (value) =>
    typeof value === "string" ? value.replaceAll("\0", "").replaceAll(/\r\n?/g, "\n").trim() : "",
  z.string(),
);

const length = (characters: number) => new Intl.NumberFormat("en").format(characters);

/** What the editor of a legal text sends. */
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
      .max(CONTENT_MAX, `Content can be at most ${length(CONTENT_MAX)} characters`),
  ),
});
export type LegalInput = z.infer<typeof legalInput>;
