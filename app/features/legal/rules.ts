import { numericFromCents } from "#app/platform/money.ts";

export const TITLE_MAX = 120;
export const CONTENT_MAX = 50_000;

/** What a text does not say of the cancellation rule: "24 hours", "€0.99". */
export function missingFromTerms(
  text: string,
  { refundHours, refundFeeCents }: { refundHours: number; refundFeeCents: number },
): string[] {
  const fee = numericFromCents(refundFeeCents);
  const saysHours = [...text.matchAll(HOURS)].some(([, hours]) => hours === String(refundHours));
  const saysFee = [...text.matchAll(AMOUNT)].some(
    ([, euros, cents]) => `${euros}.${cents}` === fee,
  );
  return [...(saysHours ? [] : [`${refundHours} hours`]), ...(saysFee ? [] : [`€${fee}`])];
}

const HOURS = /(?<![\d.,])(\d{1,4})[\s-]{0,9}(?:h|hours?)\b/gi;
const AMOUNT = /(?<![\d.,])(\d{1,4})[.,](\d{2})(?!\d)/g;
