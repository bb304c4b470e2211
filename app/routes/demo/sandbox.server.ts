import { data, type RouterContextProvider } from "react-router";
import Stripe from "stripe";
import { receiveStripeEvent } from "#app/features/wallet/stripe/apply-stripe-event.server.ts";
import { PREFILLED_AMOUNT, readAmount } from "#app/features/wallet/rules.ts";
import type { Env } from "#app/platform/env.server.ts";
import { isSandbox, SANDBOX_PATH } from "#app/platform/sandbox.ts";
import { type App, appContext } from "#app/routes/context.server.ts";
import type { SentEvent } from "./stripe-objects.ts";

type Context = Readonly<RouterContextProvider>;

/** Replaces Stripe in the demo; 404 elsewhere. */
export function requireSandbox(context: Context): App {
  const app = context.get(appContext);
  if (!isSandbox(app.env)) throw data("Not found", { status: 404 });
  return app;
}

// Sends signed events one by one, as Stripe does. Throws if one is rejected; earlier ones are applied,
// and all can be sent again.
export async function sendEvents(context: Context, events: SentEvent[]): Promise<void> {
  const app = context.get(appContext);
  for (const event of events) {
    const { payload, signature } = sign(app.env, event);
    const outcome = await receiveStripeEvent(app, payload, signature);
    if (!outcome) throw new Error(`an event of ${event.type} was rejected`);
  }
}

export function sign(
  { stripeWebhookSecrets }: Pick<Env, "stripeWebhookSecrets">,
  event: SentEvent,
) {
  const payload = JSON.stringify(event);
  const [secret = ""] = stripeWebhookSecrets;
  return { payload, signature: Stripe.webhooks.generateTestHeaderString({ payload, secret }) };
}

export interface SandboxLink {
  reference: string | null;
  email: string;
  /** What is prefilled, or was chosen, where the buyer chooses the amount. */
  amountCents: number | null;
  /** The session of a delayed payment; null while nothing is paid. */
  sessionId: string | null;
  isDeclined: boolean;
}

/** Like Stripe, ignores a reference that is no plain id. */
export function readLink(request: Request): SandboxLink {
  const { searchParams } = new URL(request.url);
  const reference = searchParams.get("client_reference_id") ?? "";
  const email = searchParams.get("prefilled_email") ?? "";
  return {
    reference: /^[\w-]{1,200}$/.test(reference) ? reference : null,
    email: isEmail(email) ? email : "",
    amountCents: readAmount(searchParams.get(PREFILLED_AMOUNT)),
    sessionId: readSession(searchParams.get("session_id")),
    isDeclined: searchParams.get("bank") === "declined",
  };
}

export function linkTo(packKey: string, link: SandboxLink) {
  const { reference, email, amountCents, sessionId, isDeclined } = link;
  const search = new URLSearchParams();
  if (reference) search.set("client_reference_id", reference);
  if (email) search.set("prefilled_email", email);
  if (amountCents) search.set(PREFILLED_AMOUNT, String(amountCents));
  if (sessionId) search.set("session_id", sessionId);
  if (isDeclined) search.set("bank", "declined");
  return `${SANDBOX_PATH}${encodeURIComponent(packKey)}?${search}`;
}

/** Null if it is no session id of the sandbox. */
export function readSession(text: unknown): string | null {
  return typeof text === "string" && /^cs_test_[A-Za-z0-9]{1,100}$/.test(text) ? text : null;
}

export function isEmail(text: string): boolean {
  return text.length <= 255 && /^[^\s@]+@[^\s@]+$/.test(text);
}
