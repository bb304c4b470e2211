import type { Route } from "./+types/stripe";
import { applyStripeEvent } from "#app/features/wallet/stripe/apply-stripe-event.server.ts";
import { isStorable } from "#app/features/wallet/stripe/stripe-event.ts";
import { isLiveKey, isSignedNow, readSignedEvent } from "#app/platform/stripe.server.ts";
import {
  type StripeRejection,
  stripeRejections,
} from "#app/platform/observability/metrics.server.ts";
import { appContext } from "#app/routes/context.server.ts";

// 200 if an event is applied, was applied before, is unmatched or of no interest; 400 if it is no
// event or not signed with one of our secrets; 5xx only if Stripe should send it again.
export async function action({ request, context }: Route.ActionArgs): Promise<Response> {
  const { db, env, now } = context.get(appContext);
  const signature = request.headers.get("Stripe-Signature");
  // The signature covers the exact bytes.
  const event = readSignedEvent(await request.text(), signature, env.stripeWebhookSecrets);
  if (!event || !isStorable(event)) {
    const own: StripeRejection = event ? "body" : "signature";
    stripeRejections.inc({ reason: isSignedNow(signature) ? own : "unsigned" });
    return respond(400, "bad signature or body");
  }
  const isLive = isLiveKey(env.stripeSecretKey);
  return respond(200, await applyStripeEvent(db, event, { isLive, now: now() }));
}

export function loader(): Response {
  return new Response("Method Not Allowed", { status: 405, headers: { Allow: "POST" } });
}

function respond(status: number, text: string): Response {
  return new Response(text, { status, headers: { "Cache-Control": "no-store" } });
}
