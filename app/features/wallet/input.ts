import { z } from "zod";
import { amount, line, ticked } from "#app/platform/fields.ts";
import { PACK_NAME_MAX } from "./rules.ts";

const MOST = { most: 999_999 };
const name = line.pipe(
  z
    .string()
    .min(1, "Name is required")
    .max(PACK_NAME_MAX, `Name can be at most ${PACK_NAME_MAX} characters`),
);

export const packInput = z
  .object({
    name,
    price: amount("Price must be above 0 and at most 9,999.99\u00a0€, such as 34 or 9.99", MOST),
    credits: amount("Credits must be above 0 and at most 9,999.99, such as 40 or 12.50", MOST),
    isActive: ticked,
  })
  .transform(({ price, credits, ...rest }) => ({
    ...{ ...rest, priceCents: price, creditsCents: credits },
  }));
export type PackInput = z.infer<typeof packInput>;
