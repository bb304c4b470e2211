import { data, redirect } from "react-router";
import { findArrival } from "../../features/wallet/arrival.server.ts";
import { CentreCircle } from "../../ui/pitch-lines.tsx";
import { appContext } from "../context.server.ts";
import { forgetReturn, readReturn } from "../credits/return-cookie.server.ts";
import { requirePlayer } from "../guards.server.ts";
import { pageMeta, siteOf } from "../meta.ts";
import type { Route } from "./+types/paid";
import { isSettled } from "./arrival-watch.ts";
import { PaidActions } from "./paid-actions.tsx";
import { PaidMark } from "./paid-mark.tsx";
import { readSessionId, readSince } from "./paid-session.ts";
import { arrivalWords, LONG, onwardLabel } from "./paid-words.ts";
import { useArrival } from "./use-arrival.ts";

const LONG_SECONDS = 60;
const STOPS_AFTER_SECONDS = 600;

/** Where payment links lead back to: waits for the credits, then leads on to where it began. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, env, now } = context.get(appContext);
  const { userId } = await requirePlayer(context, request, { to: "/" });
  const sessionId = readSessionId(request);
  if (!sessionId) throw redirect("/wallet");
  const arrival = await findArrival(db, { userId, sessionId });
  const hasArrived = arrival.state === "arrived";
  const onward = hasArrived ? await readReturn(env, request) : null;
  const since = readSince(request, now());
  const waited = Math.floor(now().getTime() / 1_000) - since;
  const page = {
    sessionId,
    state: arrival.state,
    words: arrivalWords(arrival),
    isLong: arrival.state === "waiting" && waited >= LONG_SECONDS,
    again: `/wallet/paid?session_id=${sessionId}&since=${since}`,
    refreshes: !isSettled(arrival.state) && waited < STOPS_AFTER_SECONDS,
    onward: onward && { to: onward, label: onwardLabel(onward) },
    contactEmail: env.contactEmail,
  };
  // Used now: a later look at this page leads nowhere by itself.
  return data(page, { headers: onward ? { "Set-Cookie": await forgetReturn(env) } : {} });
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Your payment", noindex: true });

export default function Paid({ loaderData: page }: Route.ComponentProps) {
  const watch = useArrival(page);
  const isLong = page.isLong || (page.state === "waiting" && watch.isLong);
  const words = isLong ? LONG : page.words;
  return (
    <div className="relative isolate mx-auto grid max-w-xl justify-items-center gap-6 overflow-hidden px-4 pt-16 text-center">
      <CentreCircle className="-top-4 left-1/2 w-72 -translate-x-1/2" />
      <h1 className="text-base font-semibold text-muted">Your payment</h1>
      <PaidMark state={page.state} />
      <div role="status" className="grid gap-2">
        <p className="text-xl font-bold text-balance">{words.title}</p>
        <p className="mx-auto max-w-md">{words.text}</p>
      </div>
      <PaidActions page={page} isLong={isLong} hasStopped={watch.hasStopped} />
      {page.refreshes && (
        <noscript>
          <meta httpEquiv="refresh" content={`5;url=${page.again}`} />
        </noscript>
      )}
    </div>
  );
}

export type PaidPage = Route.ComponentProps["loaderData"];
