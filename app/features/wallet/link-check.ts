import { isSandboxId } from "#app/platform/sandbox.ts";
import type { Pack } from "./packs.server.ts";
import { isPaymentLink } from "./payment-link.ts";

type Sold = Pick<Pack, "checkoutLink" | "priceId" | "paymentLinkId">;

export interface LinkCheck {
  /** "sandbox": the demo's own checkout; "ready": it can be bought. */
  state: "ready" | "sandbox" | "missing" | "elsewhere" | "unmatched";
  isSet: boolean;
  isBelowPrefix: boolean;
  hasPriceId: boolean;
  hasLinkId: boolean;
}

/**
 * What a pack has of what selling it needs: a link below the configured prefix, and the ids by
 * which Stripe's events name it. It asks nothing of Stripe.
 */
export function checkLink({ checkoutLink, priceId, paymentLinkId }: Sold, prefix: string) {
  const facts = {
    isSet: checkoutLink !== null,
    isBelowPrefix: isPaymentLink(checkoutLink, prefix),
    hasPriceId: priceId !== null,
    hasLinkId: paymentLinkId !== null,
  };
  const isSandbox = paymentLinkId !== null && isSandboxId(paymentLinkId);
  return { state: stateOf(facts, isSandbox), ...facts } satisfies LinkCheck;
}

function stateOf(facts: Omit<LinkCheck, "state">, isSandbox: boolean): LinkCheck["state"] {
  if (!facts.isSet) return "missing";
  if (!facts.isBelowPrefix) return "elsewhere";
  if (!facts.hasPriceId || !facts.hasLinkId) return "unmatched";
  return isSandbox ? "sandbox" : "ready";
}
