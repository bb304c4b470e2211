import { data, type RouterContextProvider } from "react-router";
import Stripe from "stripe";
import type { Env } from "#app/platform/env.server.ts";
import { isSandbox } from "#app/platform/sandbox.ts";
import { type App, appContext } from "#app/routes/context.server.ts";
import { action as webhook } from "#app/routes/webhooks/stripe.ts";
import type { SentEvent } from "./stripe-objects.ts";

type Context = Readonly<RouterContextProvider>;

/** The App of the sandbox, which takes Stripe's place in the demo; elsewhere there is none: 404. */
export function requireSandbox(context: Context): App {
  const app = context.get(appContext);
  if (!isSandbox(app.env)) throw data("Not found", { status: 404 });
  return app;
}

/**
 * Sends events as Stripe does: signed, one after the other, to the webhook's own route. Throws
 * where one is not accepted; those before it stand, and all can be sent again.
 */
export async function sendEvents(context: Context, events: SentEvent[]): Promise<void> {
  const { env } = context.get(appContext);
  for (const event of events) {
    const request = signedRequest(env, event);
    const url = new URL(request.url);
    const answer = await webhook({ request, context, url, pattern: url.pathname, params: {} });
    if (answer.status !== 200) throw new Error(`${event.type} was answered ${answer.status}`);
  }
}

/** What Stripe would post for an event. */
export function signedRequest(
  { appUrl, stripeWebhookSecrets }: Pick<Env, "appUrl" | "stripeWebhookSecrets">,
  event: SentEvent,
): Request {
  const payload = JSON.stringify(event);
  const [secret = ""] = stripeWebhookSecrets;
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret });
  return new Request(new URL("/webhooks/stripe", appUrl), {
    method: "POST",
    headers: { "Content-Type": "application/json", "Stripe-Signature": signature },
    body: payload,
  });
}
