import { euros, numericFromCents } from "#app/platform/money.ts";
import type { CancellationStep } from "#app/platform/schema.ts";

export const TITLE_MAX = 120;
export const CONTENT_MAX = 50_000;
export const MOST_DAYS_AHEAD = 730;

/** What a text does not say of a step of the cancellation terms: "24 hours", "0.99 €". */
export function missingFromLegalText(
  text: string,
  { until, feeCents }: CancellationStep,
): string[] {
  const fee = numericFromCents(feeCents);
  const saysHours = [...text.matchAll(HOURS)].some(([, hours]) => hours === String(until));
  const saysFee =
    feeCents === 0 ||
    [...text.matchAll(AMOUNT)].some(([, whole, cents]) => `${whole}.${cents}` === fee);
  return [...(saysHours ? [] : [`${until} hours`]), ...(saysFee ? [] : [euros(feeCents)])];
}

const HOURS = /(?<![\d.,])(\d{1,4})[\s-]{0,9}(?:h|hours?)\b/gi;
const AMOUNT = /(?<![\d.,])(\d{1,4})[.,](\d{2})(?!\d)/g;
