import { data, redirectDocument } from "react-router";
import { openPortal } from "#app/features/wallet/subscriptions.server.ts";
import { log } from "#app/platform/log.server.ts";
import { isSandbox } from "#app/platform/sandbox.ts";
import { openStripe } from "#app/platform/stripe.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { PROCESS_FAILED } from "#app/forms/messages.ts";

/** Leads to where a subscription is changed or ended; where that fails, says so on the page. */
export async function manageSubscription(
  { env, db }: App,
  who: { userId: string; subscriptionId: string | null },
) {
  // Any other text is no id of Stripe's, and PostgreSQL takes none with a NUL.
  if (who.subscriptionId !== null && !/^\w{1,255}$/.test(who.subscriptionId)) return failed(404);
  try {
    const stripe = isSandbox(env) ? null : openStripe(env.stripeSecretKey ?? "");
    const url = await openPortal({ db, stripe, appUrl: env.appUrl, ...who });
    return url ? redirectDocument(url, 303) : failed(404);
  } catch (error) {
    log.error({ err: error }, "opening the customer portal");
    return failed(502);
  }
}

/** What any request that cannot be done is answered with. */
export function failed(status: number) {
  return data({ problem: PROCESS_FAILED }, status);
}
