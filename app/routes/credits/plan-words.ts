import { GAME_PRICE_CENTS } from "#app/features/games/rules.ts";
import type { Pack } from "#app/features/wallet/packs.server.ts";
import { creditsCount, creditsText, euros, numericFromCents } from "#app/platform/money.ts";

/** A pack as the plan dialog says it. */
export interface PackWords {
  id: string;
  name: string;
  isMonthly: boolean;
  isPopular: boolean;
  /** "9,99 € per game", "8.50€ per game": each as the specification writes it. */
  perGame: string;
  credits: string;
  total: string;
  renewal: string;
}

/** The packs in their order, the middle one of three or more monthly ones marked. */
export function packWords(packs: Pack[]): PackWords[] {
  const monthly = packs.filter((pack) => pack.isMonthly);
  const popular = monthly.length < 3 ? null : monthly[Math.floor(monthly.length / 2)];
  return packs.map((pack) => ({
    id: pack.id,
    name: pack.name,
    isMonthly: pack.isMonthly,
    isPopular: pack === popular,
    ...(pack.isMonthly ? monthlyWords(pack) : singleWords(pack)),
  }));
}

function singleWords({ priceCents, creditsCents }: Pack) {
  const perGame = euros(perGameCents(priceCents, creditsCents)).replace(".", ",");
  return {
    perGame: `${perGame} per game`,
    credits: creditsCount(creditsCents),
    total: `${euros(priceCents)}, incl. VAT`,
    renewal: "You pay once. Nothing renews, and these credits never expire.",
  };
}

function monthlyWords({ priceCents, creditsCents }: Pack) {
  const total = `${euros(priceCents)}, incl. VAT`;
  return {
    perGame: `${numericFromCents(perGameCents(priceCents, creditsCents))}€ per game`,
    credits: `${creditsCount(creditsCents)} a month`,
    total,
    renewal: `Renews every month at ${total}, until you cancel.`,
  };
}

/** To the nearest cent. */
function perGameCents(priceCents: number, creditsCents: number): number {
  return Math.round((priceCents * GAME_PRICE_CENTS) / creditsCents);
}

/** "You need 10 credits and have 4. You need 6 more." Null where nothing is missing. */
export function needWords(priceCents: number, balanceCents: number): string | null {
  const missingCents = priceCents - balanceCents;
  if (missingCents <= 0) return null;
  return (
    `You need ${creditsCount(priceCents)} and have ${creditsText(balanceCents)}. ` +
    `You need ${creditsText(missingCents)} more.`
  );
}

/** What is owed before credits count again; null where nothing is. */
export function debtWords(debtCents: number): string | null {
  if (debtCents <= 0) return null;
  return `${oweWords(debtCents)} Your next purchase pays that first.`;
}

/** "You owe 10 credits from a refunded payment." */
export function oweWords(debtCents: number): string {
  return `You owe ${creditsCount(debtCents)} from a refunded payment.`;
}
