import { z } from "zod";
import { oneLine } from "#app/platform/text.ts";
import { NAME_MAX, SORT_ORDER_MAX, WEBSITE_MAX } from "./rules.ts";

/** One line of a form; a file, a repeated or a missing field counts as empty. */
const text = z.preprocess((value) => (typeof value === "string" ? oneLine(value) : ""), z.string());

const ADDRESS = "Please enter a web address that begins with https:// or http://";

/** Empty, or the address of a web page. */
const website = text
  .pipe(z.string().max(WEBSITE_MAX, "Website is too long"))
  .refine((address) => address === "" || isWebAddress(address), ADDRESS)
  .transform((address) => address || null);

/** As `parseInt` reads it; what is no number is 0 (specification, section 5). */
const sortOrder = text
  .transform((digits) => Number.parseInt(digits, 10) || 0)
  .pipe(
    z
      .number()
      .min(-SORT_ORDER_MAX, "Sort order is too small")
      .max(SORT_ORDER_MAX, "Sort order is too large"),
  );

/** What the form of a partner sends. */
export const partnerInput = z.object({
  name: text.pipe(
    z
      .string()
      .min(1, "Name is required")
      .max(NAME_MAX, `Name can be at most ${NAME_MAX} characters`),
  ),
  websiteUrl: website,
  sortOrder,
});
export type PartnerInput = z.infer<typeof partnerInput>;

function isWebAddress(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && ["http:", "https:"].includes(url.protocol);
}
