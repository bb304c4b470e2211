import { z } from "zod";
import { composed, manyLines, oneLine } from "#app/platform/text.ts";
import { filled, text } from "#app/features/accounts/input.ts";
import { ANSWER_MAX, COMMENT_MAX, MESSAGE_MAX, REJECTION_MAX, SUBJECT_MAX } from "./rules.ts";

const line = text.transform((value) => oneLine(composed(value)));
const lines = text.transform((value) => manyLines(composed(value)));

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

export const rejectionInput = z.object({ reason: lines.pipe(filled("Reason", REJECTION_MAX)) });
export const answerInput = z.object({ answer: lines.pipe(filled("Answer", ANSWER_MAX)) });
