import { Form, useNavigation } from "react-router";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import type { SubscriptionWords } from "./subscription-words.ts";

type SectionProps = { subscriptions: SubscriptionWords[] };

/** A player's subscriptions and the way to change or end them; nothing where there never was one. */
export function SubscriptionSection({ subscriptions }: SectionProps) {
  const leavingFor = useNavigation().formData?.get("subscriptionId");
  if (subscriptions.length === 0) return null;
  return (
    <section aria-labelledby="subscription">
      <h2 id="subscription" className="mb-3 text-lg">
        Subscription
      </h2>
      <div className="grid divide-y divide-line rounded-card bg-surface shadow-card">
        {subscriptions.map(({ id, name, state, tone, grants, next }) => (
          <div key={id} className="p-4">
            <p className="flex flex-wrap items-center justify-between gap-2">
              <span className="font-semibold">{name}</span>
              <Badge tone={tone}>{state}</Badge>
            </p>
            {grants && <p className="mt-1 text-sm tabular-nums">{grants}</p>}
            <p className="text-sm text-muted">{next}</p>
            <Form method="post" action="/wallet" className="mt-4">
              <input type="hidden" name="intent" value="manage-subscription" />
              <input type="hidden" name="subscriptionId" value={id} />
              <Button wide pending={leavingFor === id}>
                Manage subscription
              </Button>
            </Form>
          </div>
        ))}
      </div>
    </section>
  );
}
