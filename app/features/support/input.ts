import { z } from "zod";
import { text } from "../accounts/input.ts";
import { ANSWER_MAX, COMMENT_MAX, MESSAGE_MAX, SUBJECT_MAX } from "./rules.ts";

/** A subject is one line: what would break it becomes a space. */
const line = text.transform((value) =>
  value
    .normalize("NFC")
    .replace(/\p{Cc}+/gu, " ")
    .trim(),
);

/** Several lines, which browsers send with CRLF; PostgreSQL refuses a NUL. */
const lines = text.transform((value) =>
  value
    .normalize("NFC")
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\n\t]+/gu, " ")
    .trim(),
);

export const messageInput = z.object({
  subject: line.pipe(filled("Subject", SUBJECT_MAX)),
  message: lines.pipe(filled("Message", MESSAGE_MAX)),
});
export type MessageInput = z.infer<typeof messageInput>;

export const reviewInput = z.object({
  rating: text.pipe(z.string().regex(/^[1-5]$/, "Please select a rating")).transform(Number),
  comment: lines
    .pipe(z.string().max(COMMENT_MAX, `Comment is too long (max ${COMMENT_MAX} characters)`))
    .transform((comment) => comment || null),
});
export type ReviewInput = z.infer<typeof reviewInput>;

export const answerInput = z.object({ answer: lines.pipe(filled("Answer", ANSWER_MAX)) });

function filled(label: string, max: number) {
  return z
    .string()
    .min(1, { error: `${label} is required`, abort: true })
    .max(max, `${label} is too long (max ${max} characters)`);
}
