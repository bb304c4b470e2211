import { gamesAvailable } from "../../features/wallet/rules.ts";
import { creditsText, wholeCredits } from "../../platform/money.ts";
import { countCredits } from "./entry-words.ts";

/** A wallet in the words of the page. */
export function balanceWords(viewer: { balanceCents: number; debtCents: number }) {
  const { balanceCents, debtCents } = viewer;
  const [whole, games] = [wholeCredits(balanceCents), gamesAvailable(balanceCents)];
  return {
    credits: `${whole} ${whole === "1" ? "credit" : "credits"}`,
    exactly: balanceCents % 100 === 0 ? null : creditsText(balanceCents),
    games: `${games} ${games === 1 ? "game" : "games"} available`,
    debt:
      debtCents > 0 ? `You owe ${countCredits(debtCents)} from a payment that was refunded.` : null,
  };
}

export type BalanceWords = ReturnType<typeof balanceWords>;
