import { z } from "zod";
import { filled, line } from "#app/platform/fields.ts";
import { UNTIL_HOURS, type UntilHours, PROMOTE_REASON_MAX } from "./rules.ts";

export const promotionInput = z.object({
  reason: line.pipe(filled("Reason", PROMOTE_REASON_MAX)),
});

/** `until` is in hours before kick-off. */
export const waitlistInput = z.object({
  mode: z.enum(["auto", "ask"], "Choose whether we book the spot or ask you first"),
  until: z
    .enum(UNTIL_HOURS.map(String), "Choose until when")
    .transform((hours) => Number(hours) as UntilHours),
});
