import { z } from "zod";
import { filled, line, lines, ticked } from "#app/platform/fields.ts";
import { MESSAGE_MAX, SUBJECT_MAX } from "./rules.ts";

export const gameMessageInput = z.object({
  subject: line.pipe(filled("Subject", SUBJECT_MAX)),
  message: lines.pipe(filled("Message", MESSAGE_MAX)),
  isPinned: ticked,
});

export const cancelInput = z.object({
  message: lines
    .transform((typed) => typed || null)
    .pipe(filled("Message", MESSAGE_MAX).nullable()),
});
