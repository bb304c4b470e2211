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
  const saysHours = [...text.matchAll(HOURS)].some(([, hours]) => hours === String(refundHours));
  const saysFee = [...text.matchAll(AMOUNT)].some(
    ([, euros, cents]) => `${euros}.${cents}` === fee,
  );
  return [...(saysHours ? [] : [`${refundHours} hours`]), ...(saysFee ? [] : [`€${fee}`])];
}

const HOURS = /(?<![\d.,])(\d{1,4})[\s-]{0,9}(?:h|hours?)\b/gi;
const AMOUNT = /(?<![\d.,])(\d{1,4})[.,](\d{2})(?!\d)/g;
