import { z } from "zod";
import { text } from "#app/platform/fields.ts";
import { messageError, messageText } from "./message-text.ts";

export const readInput = z.object({
  number: text.pipe(z.string().regex(/^\d{1,9}$/)).transform(Number),
});

export const chatInput = z.object({
  message: text.transform((typed, { addIssue }) => {
    const error = messageError(typed);
    if (error) addIssue({ code: "custom", message: error });
    return messageText(typed);
  }),
});
