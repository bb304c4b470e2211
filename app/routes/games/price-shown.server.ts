import { centsFromNumeric, creditsText } from "#app/platform/money.ts";

/** The field `priceShown` in cents; undefined if none was sent, null if invalid. */
export function readPriceShown(form: FormData): number | null | undefined {
  const shown = form.get("priceShown");
  if (shown === null || shown === "") return undefined;
  if (typeof shown !== "string" || !/^\d{1,6}(\.\d{1,2})?$/.test(shown)) return null;
  return centsFromNumeric(shown);
}

export function priceNow(priceCents: number): string {
  const price = priceCents === 0 ? "0: this one is free" : `${creditsText(priceCents)} credits`;
  return `The price is now ${price}.`;
}
