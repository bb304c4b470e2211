import { z } from "zod";
import type { Field } from "#app/platform/entity.server.ts";
import { amount, requiredLine, ticked } from "#app/platform/fields.ts";

const MOST = { most: 999_999 };

export const packFields = {
  name: {
    ...{ label: "Name", isRequired: true, maxLength: 60 },
    schema: requiredLine("Name", 60),
  },
  price: {
    ...{ label: "Price", formLabel: "Price in euros", isRequired: true, inputMode: "decimal" },
    schema: amount("Price must be above 0 and at most 9,999.99\u00a0€, such as 34 or 9.99", MOST),
  },
  credits: {
    ...{ label: "Credits", isRequired: true, inputMode: "decimal" },
    hint: "What a payment gives from now on. What was sold stays as it was.",
    schema: amount("Credits must be above 0 and at most 9,999.99, such as 40 or 12.50", MOST),
  },
  isActive: {
    ...{ label: "On sale", isTick: true, initial: "1" },
    hint: "Players see it once it has a payment link.",
    schema: ticked,
  },
} satisfies Record<string, Field<unknown>>;

export const packInput = z
  .object({
    name: packFields.name.schema,
    price: packFields.price.schema,
    credits: packFields.credits.schema,
    isActive: packFields.isActive.schema,
  })
  .transform(({ price, credits, ...rest }) => ({
    ...{ ...rest, priceCents: price, creditsCents: credits },
  }));
export type PackInput = z.infer<typeof packInput>;
