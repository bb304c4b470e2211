import { z } from "zod";
import { text } from "#app/features/accounts/input.ts";
import { oneLine } from "#app/platform/text.ts";
import { centsFromNumeric } from "#app/platform/money.ts";
import { REASON_MAX, SUSPENSION_MAX } from "./limits.ts";

const AMOUNT = "Enter an amount of credits, such as 10 or 9.01";

/** `direction` gives or takes; a telephone's keyboard of numbers has no minus. */
export const correctionInput = z
  .object({
    direction: text.pipe(z.enum(["give", "take"], "Choose whether to give or to take")),
    amount: text
      .transform((value) => value.trim().replace(",", "."))
      .pipe(z.string().regex(/^\d{1,4}(\.\d{1,2})?$/, AMOUNT))
      .transform(centsFromNumeric)
      .pipe(z.number().positive(AMOUNT)),
    reason: words(REASON_MAX),
    key: text.pipe(z.uuid("This form is out of date. Load the page again.")),
  })
  .transform(({ direction, amount, ...rest }) => ({
    ...rest,
    amountCents: direction === "take" ? -amount : amount,
  }));

const confirmed = text.pipe(z.string().min(1, "Tick the box to go on"));

export const suspensionInput = z.object({ reason: words(SUSPENSION_MAX), confirmed });
export const roleInput = z.object({ confirmed });

function words(max: number) {
  return text
    .transform(oneLine)
    .pipe(
      z
        .string()
        .min(1, "Reason is required")
        .max(max, `The reason can be at most ${max} characters`),
    );
}
