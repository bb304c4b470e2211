import { lazy, Suspense, useEffect } from "react";
import { Notice } from "#app/ui/notice.tsx";
import { toast } from "#app/ui/toast.ts";
import { PACKS_FAILED } from "#app/forms/messages.ts";
import type { Plans } from "./plans.server.ts";

// A file of its own: no page loads it before somebody wants to buy.
const PlanChoice = lazy(() => import("./plan-choice.tsx").catch(() => ({ default: NotLoaded })));

/**
 * The plan dialog, open from the moment that an action answers with plans; `DialogTrigger` opens
 * "plans" again. Stands in the flow of the page, where it is read without JavaScript.
 */
export function PlanDialog({ plans }: { plans: Plans | null | undefined }) {
  if (!plans) return null;
  if ("failure" in plans) return <Failure failure={plans.failure} />;
  return (
    <Suspense>
      <PlanChoice key={plans.id} plans={plans} />
    </Suspense>
  );
}

function NotLoaded() {
  return <Failure failure={PACKS_FAILED} />;
}

function Failure({ failure }: { failure: { title: string; description: string } }) {
  useEffect(() => {
    toast({ ...failure, tone: "danger" });
  }, [failure]);
  return (
    <div className="mx-auto max-w-3xl px-4 pt-6">
      <Notice tone="danger" title={failure.title}>
        {failure.description}
      </Notice>
    </div>
  );
}
