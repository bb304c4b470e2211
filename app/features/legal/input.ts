import { z } from "zod";
import { CONTENT_MAX, TITLE_MAX } from "./rules.ts";

// PostgreSQL stores no NUL; forms send lines that end with CR LF.
const text = z.preprocess(
  (value) =>
    typeof value === "string" ? value.replaceAll("\0", "").replaceAll(/\r\n?/g, "\n").trim() : "",
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
