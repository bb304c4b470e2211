import type { Route } from "./+types/stripe";
import { receiveStripeEvent } from "#app/features/wallet/stripe/apply-stripe-event.server.ts";
import { appContext } from "#app/routes/context.server.ts";

// 200 if an event is applied, was applied before, is unmatched or of no interest; 400 if it is no
// event or not signed with one of our secrets; 5xx only if Stripe should send it again.
export async function action({ request, context }: Route.ActionArgs): Promise<Response> {
  const signature = request.headers.get("Stripe-Signature");
  const outcome = await receiveStripeEvent(
    context.get(appContext),
    await request.text(),
    signature,
  );
  return outcome ? respond(200, outcome) : respond(400, "bad signature or body");
}

export function loader(): Response {
  return new Response("Method Not Allowed", { status: 405, headers: { Allow: "POST" } });
}

function respond(status: number, text: string): Response {
  return new Response(text, { status, headers: { "Cache-Control": "no-store" } });
}
