import type { Viewer } from "#app/features/accounts/sessions.server.ts";
import { gamePath } from "#app/features/friends/rules.ts";
import { gameFacts, type ShownGame } from "#app/features/games/shown-game.ts";
import { saleText } from "#app/features/seats/rules.ts";
import { findActivePack, type Pack, packFact } from "#app/features/wallet/packs.server.ts";
import type { PaymentHold } from "#app/features/wallet/payment-holds.server.ts";
import { type Facts, writeShown } from "#app/platform/as-shown.ts";
import { euros } from "#app/platform/money.ts";
import type { App } from "#app/routes/context.server.ts";
import { findDifference } from "./difference.server.ts";
import { heldView } from "./held-spot.server.ts";

interface Payer {
  viewer: Viewer | null;
  game: ShownGame & { id: string };
  /** In cents. */
  price: number;
  /** By the friend's link by which the game was opened. */
  held: { token: string | null } | null;
}

/** A spot that is held while this viewer pays, or a payment under way without one. */
export async function toPayingView(
  app: Pick<App, "db" | "now">,
  hold: PaymentHold | null,
  payer: Payer,
) {
  if (!hold) return null;
  const { holdsSpot, isPaid, isPending, until } = hold;
  const now = app.now();
  const begun = holdsSpot && !isPaid && !isPending ? await findBegun(app.db, hold, payer) : null;
  return { holdsSpot, isPaid, isPending, ...heldView(until, now), begun };
}

/** The payment that was begun for the spot, to be gone on with; null where the plans have to be opened. */
async function findBegun(db: App["db"], { packId }: PaymentHold, payer: Payer) {
  const { viewer, game, price, held } = payer;
  if (!packId || !viewer || (viewer.debtCents <= 0 && viewer.balanceCents >= price)) return null;
  const pack = await findActivePack(db, packId);
  if (!pack) return null;
  const difference = pack.isAnyAmount ? await findDifference(db, price, viewer) : null;
  if (pack.isAnyAmount && !difference) return null;
  const facts = { ...gameFacts(game), cancellation: saleText() };
  const amountCents = difference?.amountCents ?? null;
  return toBegun({ pack, amountCents, returnTo: gamePath(game.id, held?.token), facts });
}

interface Purchase {
  pack: Pack;
  /** Where it is chosen. */
  amountCents: number | null;
  returnTo: string;
  /** Of the game that is paid for. */
  facts: Facts;
}

/** What a form sends that leads to a payment without the plans. */
export const toBegun = ({ pack, amountCents, returnTo, facts }: Purchase) => ({
  fields: {
    ...{ packId: pack.id, returnTo },
    ...(amountCents !== null && { amount: String(amountCents) }),
  },
  what: amountCents === null ? pack.name : "Just what is missing",
  price: `${euros(amountCents ?? pack.priceCents)}${pack.isMonthly ? " a month" : ""}`,
  shown: writeShown({ ...packFact(pack), ...facts }),
});

export type BegunPayment = ReturnType<typeof toBegun>;
