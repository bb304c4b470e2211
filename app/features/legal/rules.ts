/** The rule of cancellations, which another feature owns. */
export interface CancellationRule {
  refundHours: number;
  refundFeeCents: number;
}

export const TITLE_MAX = 120;
export const CONTENT_MAX = 50_000;

/** What a text leaves out of the rule, in words: "24 hours", "0.99". Empty where it says both. */
export function missingFromTerms(
  text: string,
  { refundHours, refundFeeCents }: CancellationRule,
): string[] {
  const fee = (refundFeeCents / 100).toFixed(2);
  const saysHours = new RegExp(`(?<![\\d.,])${refundHours}[\\s-]*(?:h\\b|hours?\\b)`, "i");
  const saysFee = new RegExp(`(?<![\\d.,])${fee.replace(".", "[.,]")}(?!\\d)`);
  return [
    ...(saysHours.test(text) ? [] : [`${refundHours} hours`]),
    ...(saysFee.test(text) ? [] : [`€${fee}`]),
  ];
}
