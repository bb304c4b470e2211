import { gamesAvailable } from "#app/features/wallet/rules.ts";
import { creditsText, wholeCreditsCount } from "#app/platform/money.ts";
import { oweWords } from "#app/routes/credits/plan-words.ts";

/** A wallet in the words of the page. */
export function balanceWords(viewer: { balanceCents: number; debtCents: number }) {
  const { balanceCents, debtCents } = viewer;
  const games = gamesAvailable(balanceCents);
  return {
    credits: wholeCreditsCount(balanceCents),
    exactly: balanceCents % 100 === 0 ? null : creditsText(balanceCents),
    games: `${games} ${games === 1 ? "game" : "games"} available`,
    debt: debtCents > 0 ? oweWords(debtCents) : null,
  };
}

export type BalanceWords = ReturnType<typeof balanceWords>;
