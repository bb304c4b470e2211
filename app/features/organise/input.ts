import { z } from "zod";
import { filled, line, lines, ticked } from "#app/platform/fields.ts";
import { MESSAGE_MAX, SUBJECT_MAX } from "./rules.ts";

export const gameMessageInput = z.object({
  subject: line.pipe(filled("Subject", SUBJECT_MAX)),
  message: lines.pipe(filled("Message", MESSAGE_MAX)),
  isPinned: ticked,
});

/** When a question was asked, as its form says; null for anything else. */
export const askedAtInput = z.iso
  .datetime()
  .transform((asked) => new Date(asked))
  .nullable()
  .catch(null);

export const cancelInput = z.object({
  message: lines
    .transform((typed) => typed || null)
    .pipe(filled("Message", MESSAGE_MAX).nullable()),
});
