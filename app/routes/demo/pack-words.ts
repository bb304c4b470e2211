import { creditsText, numericFromCents } from "../../platform/money.ts";

/** A pack as the sandbox's checkout says it. */
export interface PackWords {
  name: string;
  isMonthly: boolean;
  price: string;
  terms: string;
  credits: string;
  renewal: string;
}

export function packWords(pack: {
  name: string;
  isMonthly: boolean;
  priceCents: number;
  creditsCents: number;
}): PackWords {
  const { name, isMonthly } = pack;
  const price = `${numericFromCents(pack.priceCents)} €`;
  const credits = `${creditsText(pack.creditsCents)} credits`;
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
