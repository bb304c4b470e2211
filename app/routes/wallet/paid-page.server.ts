import { findArrival } from "#app/features/wallet/payments.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { readReturn } from "#app/routes/credits/return-cookie.server.ts";
import { isSettled } from "./arrival-watch.ts";
import { readSince } from "./paid-session.ts";
import { arrivalWords, onwardLabel } from "./paid-words.ts";

const LONG_SECONDS = 60;
const STOPS_AFTER_SECONDS = 600;

/** What the page after a payment shows of it. */
export async function loadPaidPage(
  { db, env, now }: App,
  request: Request,
  session: { userId: string; sessionId: string },
) {
  const arrival = await findArrival(db, session);
  const since = readSince(request, now());
  const waited = Math.floor(now().getTime() / 1_000) - since;
  const onward = arrival.state === "arrived" ? await readReturn(env, request) : null;
  return {
    sessionId: session.sessionId,
    state: arrival.state,
    words: arrivalWords(arrival),
    isLong: arrival.state === "waiting" && waited >= LONG_SECONDS,
    again: `/wallet/paid?session_id=${session.sessionId}&since=${since}`,
    refreshes: !isSettled(arrival.state) && waited < STOPS_AFTER_SECONDS,
    onward: onward ? { to: onward, label: onwardLabel(onward) } : null,
    contactEmail: env.contactEmail,
  };
}

export type PaidPage = Awaited<ReturnType<typeof loadPaidPage>>;
