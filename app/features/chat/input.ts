import { z } from "zod";
import { composed, manyLines } from "#app/platform/text.ts";
import { text } from "#app/features/accounts/input.ts";
import {
  CHAT_MESSAGE_MAX,
  MESSAGE_EMPTY,
  MESSAGE_TOO_LONG,
  VISIBLE,
  withoutMarkup,
} from "./message-text.ts";

export const readInput = z.object({
  number: text.pipe(z.string().regex(/^\d{1,9}$/)).transform(Number),
});

export const chatInput = z.object({
  message: text
    .transform((value) => manyLines(composed(withoutMarkup(value))).replace(/\n{3,}/g, "\n\n"))
    .pipe(
      z
        .string()
        .regex(VISIBLE, { error: MESSAGE_EMPTY, abort: true })
        .max(CHAT_MESSAGE_MAX, MESSAGE_TOO_LONG),
    ),
});
