import { redirectDocument } from "react-router";
import { openPortal } from "#app/features/wallet/subscriptions.server.ts";
import { fail, formActions, type Posted } from "#app/forms/form-action.server.ts";
import { PROCESS_FAILED } from "#app/forms/messages.ts";
import { log } from "#app/platform/log.server.ts";
import { isSandbox } from "#app/platform/sandbox.ts";
import { openStripe } from "#app/platform/stripe.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { answerBuyCredits } from "#app/routes/credits/plans.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import type { Route } from "./+types/show";

type Args = Route.ActionArgs & Posted;

const { title: failed, description: formError } = PROCESS_FAILED;

type Result = Awaited<ReturnType<typeof buyCredits | typeof manageSubscription>>;

export const walletAction = formActions<Route.ActionArgs, Result>({
  "buy-credits": { failed, formError, run: buyCredits },
  "manage-subscription": { failed, formError, run: manageSubscription },
});

function buyCredits({ context }: Args) {
  return answerBuyCredits(context.get(appContext), context.get(viewerContext), "/wallet");
}

/** Leads to where a subscription is changed or ended. */
async function manageSubscription({ context, fields }: Args) {
  const { env, db } = context.get(appContext);
  const { userId } = context.get(viewerContext);
  const { subscriptionId = null } = fields;
  // Any other text is no id of Stripe's, and PostgreSQL takes none with a NUL.
  if (subscriptionId !== null && !/^\w{1,255}$/.test(subscriptionId))
    return fail(404, { formError });
  try {
    const stripe = isSandbox(env) ? null : openStripe(env.stripeSecretKey ?? "");
    const url = await openPortal({ db, stripe, appUrl: env.appUrl, userId, subscriptionId });
    return url ? redirectDocument(url, 303) : fail(404, { formError });
  } catch (error) {
    log.error({ err: error }, "opening the customer portal");
    return fail(502, { formError });
  }
}
