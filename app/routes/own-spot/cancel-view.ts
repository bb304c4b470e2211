import { gameFacts } from "#app/features/games/shown-game.ts";
import { cancelQuote, cancelTerms, type SoldTerms } from "#app/features/seats/rules.ts";
import { writeShown } from "#app/platform/as-shown.ts";

interface CancelFacts {
  game: Parameters<typeof gameFacts>[0];
  now: Date;
  /** On the game's waitlist. */
  waiting: number;
}

/** What cancelling a booking means now; `shown` are the facts of the form that does it. */
export function toCancelView(sold: SoldTerms, { game, now, waiting }: CancelFacts) {
  const { startsAt } = game;
  return {
    terms: cancelTerms(sold, startsAt, now),
    quote: cancelQuote(sold, startsAt, now, waiting),
    shown: writeShown({ ...gameFacts(game), refund: cancelQuote(sold, startsAt, now) }),
  };
}
