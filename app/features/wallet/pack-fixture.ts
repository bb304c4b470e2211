import type { Pack } from "./packs.server.ts";

/** A single game on sale, another one each time, without anything at Stripe. */
export function aPack(given: Partial<Pack> = {}): Pack {
  return {
    id: crypto.randomUUID(),
    key: "pay_per_game",
    name: "Single game",
    priceCents: 999,
    creditsCents: 1_000,
    isMonthly: false,
    isActive: true,
    priceId: null,
    paymentLinkId: null,
    checkoutLink: null,
    ...given,
  };
}
