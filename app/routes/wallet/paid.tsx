import { data, redirect } from "react-router";
import { appContext } from "#app/routes/context.server.ts";
import { forgetReturn } from "#app/routes/credits/return-cookie.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/paid";
import { PaidActions } from "./paid-actions.tsx";
import { PaidMark } from "./paid-mark.tsx";
import { loadPaidPage } from "./paid-page.server.ts";
import { readSessionId } from "./paid-session.ts";
import { LONG } from "./paid-words.ts";
import { useArrival } from "./use-arrival.ts";

/** Where payment links lead back to: waits for the credits, then leads on to where it began. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { userId } = context.get(viewerContext);
  const sessionId = readSessionId(request);
  if (!sessionId) throw redirect("/wallet");
  const page = await loadPaidPage(app, request, { userId, sessionId });
  // Used now: a later look at this page leads nowhere by itself.
  return data(page, { headers: page.onward ? { "Set-Cookie": await forgetReturn(app.env) } : {} });
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Your payment" });

export default function Paid({ loaderData: page }: Route.ComponentProps) {
  const watch = useArrival(page);
  const isLong = page.isLong || (page.state === "waiting" && watch.isLong);
  const words = isLong ? LONG : page.words;
  return (
    <div className="mx-auto grid max-w-xl justify-items-center gap-6 px-4 pt-8 pb-4 text-center">
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
