import { Form, useNavigation } from "react-router";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import type { PlanWords } from "./plan-words.ts";

/** A player's monthly plans and the way to change or end them; nothing where there never was one. */
export function PlanSection({ plans }: { plans: PlanWords[] }) {
  const isLeaving = useNavigation().formData?.get("intent") === "manage-subscription";
  if (plans.length === 0) return null;
  return (
    <section aria-labelledby="plan">
      <h2 id="plan" className="mb-3 text-lg">
        Subscription
      </h2>
      <div className="grid divide-y divide-line rounded-card bg-surface shadow-card">
        {plans.map((plan) => (
          <div key={plan.id} className="p-4">
            <p className="flex flex-wrap items-center justify-between gap-2">
              <span className="font-semibold">{plan.name}</span>
              <Badge tone={plan.tone}>{plan.state}</Badge>
            </p>
            {plan.grants && <p className="mt-1 text-sm tabular-nums">{plan.grants}</p>}
            <p className="text-sm text-muted">{plan.next}</p>
          </div>
        ))}
        <Form method="post" action="/wallet" className="p-4">
          <input type="hidden" name="intent" value="manage-subscription" />
          <Button wide pending={isLeaving}>
            Manage subscription
          </Button>
        </Form>
      </div>
    </section>
  );
}
