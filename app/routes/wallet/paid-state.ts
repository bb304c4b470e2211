import { findPaidOutcome } from "#app/features/bookings/paid-outcome.server.ts";
import { findArrival } from "#app/features/wallet/payments.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { getViewer } from "#app/routes/guards.server.ts";
import type { Route } from "./+types/paid-state";
import { readSessionId, stateOfPayment } from "./paid-page.server.ts";

/** The payment's state as one word, for the waiting page to poll. */
export async function loader({ request, context }: Route.LoaderArgs): Promise<Response> {
  const { db } = context.get(appContext);
  const viewer = await getViewer(context);
  if (!viewer) return textResponse("signed-out", 401);
  const sessionId = readSessionId(request);
  if (!sessionId) return textResponse("no-session", 400);
  const session = { userId: viewer.userId, sessionId };
  const arrival = await findArrival(db, session);
  return textResponse(stateOfPayment(arrival, await findPaidOutcome(db, session)));
}

function textResponse(text: string, status = 200): Response {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  return new Response(text, { status, headers });
}
