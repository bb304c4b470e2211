import type { Pack } from "#app/features/wallet/packs.server.ts";
import { creditsCount, euros } from "#app/platform/money.ts";

/** A pack as the sandbox's checkout says it. */
export interface SaleWords {
  name: string;
  isMonthly: boolean;
  price: string;
  terms: string;
  credits: string;
  renewal: string;
}

export function saleWords({ name, isMonthly, priceCents, creditsCents }: Pack): SaleWords {
  const price = euros(priceCents);
  const credits = creditsCount(creditsCents);
  return {
    name,
    isMonthly,
    price,
    terms: isMonthly ? "a month, incl. VAT" : "incl. VAT",
    credits: isMonthly ? `${credits} a month` : credits,
    renewal: isMonthly
      ? `Renews every month at ${price}, incl. VAT, until you cancel. Credits reset monthly.`
      : "You pay once. Nothing renews.",
  };
}
