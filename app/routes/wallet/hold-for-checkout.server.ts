import { gameIdAt } from "#app/features/accounts/rules.ts";
import { holdWhilePaying, payForNoGame } from "#app/features/bookings/hold-while-paying.server.ts";
import { JOIN_ERRORS } from "#app/features/bookings/join-errors.ts";
import type { JoinError } from "#app/features/bookings/join-game.server.ts";
import { holdTokenAt } from "#app/features/friends/rules.ts";
import { otherGamesText } from "#app/features/waitlist/order.server.ts";
import { readShown } from "#app/platform/as-shown.ts";
import type { App } from "#app/routes/context.server.ts";

interface CheckoutForm {
  playerId: string;
  /** Without it the form, or that of an older page, buys credits alone. */
  formKey: string | undefined;
  returnTo: string;
  shown: string | undefined;
  /** The key of the question about another game that was answered with yes. */
  overlap: string | undefined;
  packId: string;
}

type Held =
  | { ok: true }
  | { ok: false; reason: "no-spot"; why: string }
  | { ok: false; reason: "plays-meanwhile"; why: string; key: string };

/** Before the button leads away: holds the spot that the form is to pay for. */
export async function holdForCheckout(
  { db, jobs, now }: Pick<App, "db" | "jobs" | "now">,
  { playerId, formKey, returnTo, shown, overlap, packId }: CheckoutForm,
): Promise<Held> {
  const gameId = formKey && gameIdAt(returnTo);
  const player = { playerId, now: now() };
  if (!gameId) {
    await payForNoGame(db, jobs, player);
    return { ok: true };
  }
  const held = await holdWhilePaying(db, jobs, {
    ...{ ...player, gameId, packId, shown: readShown(shown) },
    ...{ holdToken: holdTokenAt(returnTo) ?? undefined, asksOfOtherGame: true, confirmed: overlap },
  });
  if (held.ok) return held;
  const { reason, newFacts = "", otherGames = [], key } = held;
  if (reason === "plays-meanwhile") {
    const why = `${otherGamesText(otherGames)} Nothing was bought.`;
    return { ok: false, reason, why, key: key! };
  }
  return { ok: false, reason: "no-spot", why: `${newFacts || NO_SPOT[reason]} ${ALONE}` };
}

const ALONE = "Nothing was bought. Press the button again to buy credits alone, for any game.";

const NO_SPOT: Record<Exclude<JoinError, "plays-meanwhile">, string> = {
  ...JOIN_ERRORS,
  changed: "The game has changed.",
  "no-offer": "This offer is over.",
  "form-used": "This form was sent before.",
  "form-of-other": "This form was sent before.",
  "not-enough-credits": "No spot could be held.",
};
