import { z } from "zod";
import { filled, line, lines, text } from "#app/platform/fields.ts";
import { ANSWER_MAX, COMMENT_MAX, MESSAGE_MAX, REJECTION_MAX, SUBJECT_MAX } from "./rules.ts";

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
