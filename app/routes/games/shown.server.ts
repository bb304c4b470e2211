import { type Facts, readShown } from "#app/platform/as-shown.ts";
import { centsFromNumeric, creditsText } from "#app/platform/money.ts";

/** The facts of `shown`, with the price of `priceShown`; null if that is no price, or another. */
export function shownIn(form: FormData): Facts | null {
  const [shown, price] = [form.get("shown"), form.get("priceShown")];
  const facts = readShown(typeof shown === "string" ? shown : "");
  if (price === null || price === "") return facts;
  if (typeof price !== "string" || !/^\d{1,6}(\.\d{1,2})?$/.test(price)) return null;
  const shownPrice = creditsText(centsFromNumeric(price));
  if (facts.price !== undefined && facts.price !== shownPrice) return null;
  return { ...facts, price: shownPrice };
}
