import { z } from "zod";
import { filled, line, lines, plain, whole } from "#app/platform/fields.ts";
import { isId } from "#app/platform/ids.ts";
import { DAYS_MAX, MESSAGE_MAX, SUBJECT_MAX } from "./rules.ts";

const texts = {
  kind: z.enum(["news", "important-announcement"], "Choose what it is"),
  subject: line.pipe(filled("Subject", SUBJECT_MAX)),
  message: lines.pipe(filled("Message", MESSAGE_MAX)),
};

export const announcementInput = z.discriminatedUnion(
  "audience",
  [
    z.object({ audience: z.literal("everybody"), ...texts }),
    z.object({
      audience: z.literal("played"),
      days: plain.pipe(whole("Days", 1, DAYS_MAX)),
      ...texts,
    }),
    z.object({
      audience: z.literal("venue"),
      venueId: plain.pipe(z.string().refine(isId, "Choose a venue")),
      ...texts,
    }),
  ],
  "Choose who gets it",
);
export type AnnouncementInput = z.infer<typeof announcementInput>;
