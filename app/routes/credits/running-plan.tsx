import { Badge } from "#app/ui/badge.tsx";
import { ManageSubscription } from "./manage-subscription.tsx";
import type { PackView } from "./plans.server.ts";
import type { SubscriptionView } from "./subscription-view.server.ts";

type RunningPlanProps = { running: SubscriptionView[]; packs: PackView[] };

/** The player's plan and those to change to; the portal does all of it. */
export function RunningPlan({ running, packs }: RunningPlanProps) {
  const others = packs.filter(({ id }) => running.every(({ packId }) => packId !== id));
  return (
    <ul className="grid gap-3">
      {running.map((plan) => (
        <li key={plan.id} className="grid gap-3 rounded-card border border-ink bg-sunken p-4">
          <div>
            <p className="flex flex-wrap items-center justify-between gap-2">
              <span className="font-bold">{plan.name}</span>
              <Badge tone="lime">Your plan</Badge>
            </p>
            {plan.grants && <p className="mt-1 text-sm tabular-nums">{plan.grants}</p>}
            <p className="text-sm text-muted">
              {plan.tone === "green" ? plan.next : `${plan.state}. ${plan.next}`}
            </p>
            {running.length > 1 && <p className="text-sm text-muted">{plan.origin}</p>}
          </div>
          <ManageSubscription subscriptionId={plan.id} />
        </li>
      ))}
      {others.map((pack) => (
        <li key={pack.id} className="grid gap-3 rounded-card border border-edge p-4">
          <div>
            <p className="flex flex-wrap justify-between gap-x-2 font-bold tabular-nums">
              <span>{pack.name}</span>
              <span>{pack.perGame}</span>
            </p>
            <p className="text-sm text-muted tabular-nums">
              {pack.credits} · {pack.total}
            </p>
          </div>
          <ManageSubscription subscriptionId={running[0]!.id} packId={pack.id}>
            Change plan<span className="sr-only"> to {pack.name}</span>
          </ManageSubscription>
        </li>
      ))}
    </ul>
  );
}
