import type { Env } from "#app/platform/env.server.ts";
import { isSandbox } from "#app/platform/sandbox.ts";
import type { RefundStatus } from "#app/platform/schema.ts";
import { openStripe } from "#app/platform/stripe.server.ts";

/** Null where refunds are made in Stripe's dashboard: without a key, and in the demo, where no money moves. */
export function openRefunds(env: Pick<Env, "demo" | "stripeSecretKey">) {
  if (isSandbox(env) || !env.stripeSecretKey) return null;
  // The page waits for Stripe.
  return openStripe(env.stripeSecretKey, { timeout: 8_000, maxNetworkRetries: 1 });
}

const AT_STRIPE = "Open the payment at Stripe and refund it there.";

export const REFUND_ERRORS = {
  gone: "There is nothing to refund any more.",
  "too-much": "That is more than is left to refund. Look at the payment at Stripe.",
  "no-intent": `Stripe has not said yet which payment this is. ${AT_STRIPE}`,
  rejected: `Stripe rejected it, and no money moves. ${AT_STRIPE}`,
  key: `Stripe's key may not refund. ${AT_STRIPE}`,
  unknown: [
    "busy",
    {
      title: "Not known yet",
      formError:
        "Stripe did not answer, so the refund may have been made. Press the button again: the money goes back once.",
    },
  ],
} as const;

export const REFUND_TITLES: Record<RefundStatus, string> = {
  asked: "Refund on its way",
  pending: "Refund on its way",
  requires_action: "Refund on its way: Stripe has asked the payer for an account",
  succeeded: "Refunded",
  failed: "Nothing was refunded",
  canceled: "Nothing was refunded",
};
