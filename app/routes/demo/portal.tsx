import { data, redirect } from "react-router";
import { listOwnPayments, listOwnSubscriptions } from "#app/features/wallet/sandbox.server.ts";
import { SANDBOX_PATH } from "#app/platform/sandbox.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { pageHeaders } from "#app/routes/page-headers.ts";
import type { App } from "#app/routes/context.server.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import { formFields } from "#app/forms/form-fields.server.ts";
import { requirePlayer } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/portal";
import { steerPayment } from "./payment-deeds.ts";
import { PortalList } from "./portal-list.tsx";
import { showPayment, showSubscription } from "./portal-words.ts";
import { SandboxScreen } from "./sandbox-screen.tsx";
import { requireSandbox, sendEvents } from "./sandbox.server.ts";
import { steerSubscription } from "./subscription-deeds.ts";

export const headers = pageHeaders;

/** Where Stripe's portal is in production, with what Stripe and the bank may do besides. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = requireSandbox(context);
  const { userId } = await requirePlayer(context, request, { to: "/auth" });
  const [subscriptions, payments] = await Promise.all([
    listOwnSubscriptions(db, userId),
    listOwnPayments(db, userId),
  ]);
  return {
    subscriptions: subscriptions.map(showSubscription),
    payments: payments.map(showPayment),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db, env, now } = requireSandbox(context);
  const { userId } = await requirePlayer(context, request, { to: "/auth" });
  const { id, intent, seen } = await formFields(request);
  const own = (await listSteerable(db, userId)).find((one) => one.id === id);
  if (!own) throw data("Not found", { status: 404 });
  const deed = own.deeds.find((one) => one.intent === intent);
  // A second click finds what the first one has done already.
  const isStale = seen !== own.state;
  if (!isStale && !deed) throw data("This cannot be done here.", { status: 400 });
  if (!isStale && deed) await sendEvents(context, deed.events(now()));
  const title = isStale ? "Already changed: nothing more was done" : `Done: ${deed?.label}`;
  const headers = { "Set-Cookie": await toastCookie(env, { title }) };
  return redirect(`${SANDBOX_PATH}portal`, { status: 303, headers });
}

/** Only what is the player's own: nothing else can be named here. */
async function listSteerable(db: App["db"], userId: string) {
  const subscriptions = await listOwnSubscriptions(db, userId);
  const payments = await listOwnPayments(db, userId);
  return [...subscriptions.map(steerSubscription), ...payments.map(steerPayment)];
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Sandbox portal", noindex: true });

export default function SandboxPortal({ loaderData }: Route.ComponentProps) {
  const { subscriptions, payments } = loaderData;
  return (
    <SandboxScreen title="Subscriptions and payments" name="Sandbox portal">
      {subscriptions.length === 0 && payments.length === 0 && (
        <EmptyState>Nothing has been bought yet.</EmptyState>
      )}
      <PortalList title="Subscriptions" items={subscriptions} />
      <PortalList title="Payments" items={payments} />
    </SandboxScreen>
  );
}
