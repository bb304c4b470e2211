import { GAME_PRICE_CENTS } from "#app/features/games/rules.ts";
import { findPlayerRecord } from "#app/features/players/profiles.server.ts";
import { findIntention } from "#app/features/wallet/intentions.server.ts";
import type { Pack } from "#app/features/wallet/packs.server.ts";
import { readReference, shortageOf } from "#app/features/wallet/rules.ts";
import { euros } from "#app/platform/money.ts";
import type { App } from "#app/routes/context.server.ts";
import { readReturn } from "#app/routes/credits/plans.server.ts";
import { findPurchaseGame, purchasePath } from "#app/routes/credits/purchase-game.server.ts";
import type { SandboxLink } from "./sandbox.server.ts";

/** What the payment of this link is for, and how its player stands with the game now. */
export async function findPurpose(
  app: App,
  request: Request,
  link: SandboxLink & { openedAt: Date },
  pack: Pack,
) {
  const { reference, sessionId, openedAt } = link;
  const playerId = readReference(reference);
  const payment = { sessionId: sessionId ?? "", openedAt, now: app.now() };
  const intention = playerId && (await findIntention(app.db, { userId: playerId, ...payment }));
  const begun = intention || NONE;
  const path = purchasePath(intention || null, await readReturn(app.env, request));
  const game = await findPurchaseGame(app, path, playerId, begun);
  const spot = game?.held ? "held" : begun.isOpen ? "if free" : "none";
  const wallet = playerId && game && begun.isOpen ? await findPlayerRecord(app.db, playerId) : null;
  return {
    game,
    /** What the page promises of it. */
    facts: { spot },
    missing: pack.isAnyAmount && wallet ? missingOf(wallet) : null,
    takes: wallet && {
      priceCents: GAME_PRICE_CENTS,
      balanceCents: wallet.balanceCents - wallet.debtCents,
    },
  };
}

const NONE = { isOpen: false, isBooked: false };

/** What the amount is chosen for; null where the credits suffice. */
function missingOf(wallet: { balanceCents: number; debtCents: number }) {
  const shortage = shortageOf(GAME_PRICE_CENTS, wallet);
  if (!shortage) return null;
  const { missingCents, payCents } = shortage;
  return {
    cents: missingCents,
    payCents,
    text: `${euros(missingCents)} is missing for this game.`,
  };
}

/** Where the amount does not suffice. */
export const tooLittle = ({ text }: { text: string }) =>
  `${text} With less you would not be in, so nothing was paid.`;
