import { z } from "zod";
import { text } from "#app/features/accounts/input.ts";
import { oneLine } from "#app/platform/text.ts";
import { centsFromNumeric } from "#app/platform/money.ts";
import { PACK_NAME_MAX } from "./rules.ts";

const name = text
  .transform(oneLine)
  .pipe(
    z
      .string()
      .min(1, "Name is required")
      .max(PACK_NAME_MAX, `Name can be at most ${PACK_NAME_MAX} characters`),
  );

export const packInput = z
  .object({
    name,
    price: amount("Price must be above 0 and at most 9,999.99\u00a0€, such as 34 or 9.99"),
    credits: amount("Credits must be above 0 and at most 9,999.99, such as 40 or 12.50"),
    // An unchecked box sends nothing.
    isActive: text.transform((value) => value !== ""),
  })
  .transform(({ price, credits, ...rest }) => ({
    ...{ ...rest, priceCents: price, creditsCents: credits },
  }));
export type PackInput = z.infer<typeof packInput>;

/** More than 0, at most 9,999.99, with a point or a comma. */
function amount(message: string) {
  return text
    .transform((value) => value.trim().replace(",", "."))
    .pipe(z.string().regex(/^\d{1,4}(\.\d{1,2})?$/, message))
    .transform(centsFromNumeric)
    .pipe(z.number().positive(message));
}
