import { z } from "zod";
import { line, plain } from "#app/platform/fields.ts";
import { completeAddress, webAddress } from "#app/platform/web-address.ts";
import { NAME_MAX, SORT_ORDER_MAX, WEBSITE_MAX } from "./rules.ts";

export const partnerInput = z.object({
  name: line.pipe(
    z
      .string()
      .min(1, "Name is required")
      .max(NAME_MAX, `Name can be at most ${NAME_MAX} characters`),
  ),
  websiteUrl: line
    .transform(completeAddress)
    .pipe(z.string().max(WEBSITE_MAX, "Website is too long"))
    .refine(
      (address) => address === "" || webAddress(address) !== null,
      "Please enter a web address, such as https://partner.example",
    )
    .transform((address) => address || null),
  // What is no number is 0 (specification, section 5).
  sortOrder: plain
    .transform((digits) => Number.parseInt(digits, 10) || 0)
    .pipe(
      z
        .number()
        .min(-SORT_ORDER_MAX, "Sort order is too small")
        .max(SORT_ORDER_MAX, "Sort order is too large"),
    ),
});
export type PartnerInput = z.infer<typeof partnerInput>;
