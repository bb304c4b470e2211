import { listActivePacks } from "#app/features/wallet/packs.server.ts";
import {
  listOwnPayments,
  listOwnSubscriptions,
} from "#app/features/wallet/stripe/sandbox.server.ts";
import { SANDBOX_PATH } from "#app/platform/sandbox.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { pageHeaders } from "#app/routes/page-headers.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { rejected } from "#app/forms/form-rows.server.ts";
import { PostForm } from "#app/forms/post-form.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { signedInOnly, viewerContext } from "#app/routes/guards.server.ts";
import { playerRow } from "#app/routes/player-row.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/portal";
import { SandboxScreen } from "./sandbox-screen.tsx";
import { requireSandbox, sendEvents } from "./sandbox.server.ts";
import { redirect, useNavigation } from "react-router";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { eventsOf, paymentItem, type PortalItem, subscriptionItem } from "./portal-items.ts";

export const headers = pageHeaders;

/** Replaces Stripe's portal in the demo, plus what Stripe and the bank may do. */
export async function loader({ context }: Route.LoaderArgs) {
  const [subscriptions, payments] = await listItems(context);
  return { subscriptions: subscriptions.map(toItemView), payments: payments.map(toItemView) };
}

export const middleware: Route.MiddlewareFunction[] = [
  ({ context }) => void requireSandbox(context),
  signedInOnly(),
];

export const action = formAction(
  playerRow({
    failed: "Nothing was changed",
    run: async ({ context, now, fields: { id, intent, seen } }) => {
      const item = (await listItems(context)).flat().find((own) => own.id === id);
      if (!item) return rejected("not-found");
      // The second of two clicks finds it already done.
      if (seen !== item.state) return "Already changed: nothing more was done";
      const found = item.changes.find((one) => one.intent === intent);
      if (!found) return rejected("not-possible");
      await sendEvents(context, eventsOf(item, found, now()));
      return `Done: ${found.label}`;
    },
    errors: { "not-found": ["missing"], "not-possible": ["incomplete"] },
    done: async (title, { env }) => {
      const headers = { "Set-Cookie": await toastCookie(env, { title }) };
      return redirect(`${SANDBOX_PATH}portal`, { status: 303, headers });
    },
  }),
);

async function listItems(context: Route.ActionArgs["context"]) {
  const { db } = context.get(appContext);
  const { userId } = context.get(viewerContext);
  const [subscriptions, payments, packs] = await Promise.all([
    listOwnSubscriptions(db, userId),
    listOwnPayments(db, userId),
    listActivePacks(db),
  ]);
  return [
    subscriptions.map((own) => subscriptionItem(own, packs)),
    payments.map(paymentItem),
  ] as const;
}

function toItemView({ changes, ...item }: PortalItem) {
  return { ...item, buttons: changes.map(({ intent, label }) => ({ intent, label })) };
}

export const meta = metaOf({ title: "Sandbox portal", noindex: true });

export default function SandboxPortal({ loaderData }: Route.ComponentProps) {
  const { subscriptions, payments } = loaderData;
  return (
    <SandboxScreen title="Subscriptions and payments" name="Sandbox portal">
      {subscriptions.length === 0 && payments.length === 0 && (
        <EmptyState>Nothing has been bought yet.</EmptyState>
      )}
      <PortalList
        title="Subscriptions"
        hint="A change of plan takes effect with the next renewal."
        items={subscriptions}
      />
      <PortalList title="Payments" items={payments} />
    </SandboxScreen>
  );
}

type ItemView = ReturnType<typeof toItemView>;

type PortalListProps = { title: string; hint?: string; items: ItemView[] };

function PortalList({ title, hint, items }: PortalListProps) {
  if (items.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className="text-lg">{title}</h2>
      {hint && <p className="text-sm text-muted">{hint}</p>}
      <ul className="mt-3 grid divide-y divide-line rounded-card bg-surface shadow-card">
        {items.map((item) => (
          <li key={item.id} className="grid gap-3 p-4">
            <p className="flex flex-wrap items-center justify-between gap-2">
              <span className="font-semibold">{item.name}</span>
              <Badge tone={item.badge.tone}>{item.badge.text}</Badge>
            </p>
            <p className="text-sm text-muted tabular-nums">{item.facts}</p>
            <ItemButtons item={item} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function ItemButtons({ item: { id, name, state, buttons } }: { item: ItemView }) {
  const posted = useNavigation().formData;
  const pending = posted?.get("id") === id ? posted.get("intent") : null;
  if (buttons.length === 0) return null;
  return (
    <PostForm aria-label={name} className="flex flex-wrap gap-2">
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="seen" value={state} />
      {buttons.map(({ intent, label }) => (
        <Button key={intent} name="intent" value={intent} pending={pending === intent}>
          {label}
        </Button>
      ))}
    </PostForm>
  );
}
