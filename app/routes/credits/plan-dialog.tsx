import { type ComponentProps, lazy, Suspense } from "react";
import { FormErrors } from "#app/forms/form-errors.tsx";
import type { FormResult } from "#app/forms/form-result.ts";
import { PACKS_FAILED } from "#app/forms/messages.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import type { Button } from "#app/ui/button.tsx";
import type { FailedCheckout, Plans } from "./plans.server.ts";

// Loaded when it opens, or when its button is touched, hovered or focused.
const loadChoice = () => import("./plan-choice.tsx");
const PlanChoice = lazy(() => loadChoice().catch(() => ({ default: NotLoaded })));

// Not while offline: browsers may remember a failed file.
const loadAhead = () => void (navigator.onLine && loadChoice().catch(() => {}));

type PlanDialogProps = { plans: Plans | null | undefined; result?: FailedCheckout };

// Open once an action returns plans; `DialogTrigger` opens "plans" again. It is in the page's flow,
// where it can be read without JavaScript.
export function PlanDialog({ plans, result }: PlanDialogProps) {
  if (!plans) return null;
  if ("failure" in plans) return <Failure failure={plans.failure} />;
  return (
    <Suspense>
      <PlanChoice key={plans.id} plans={plans} result={result} />
    </Suspense>
  );
}

function NotLoaded() {
  return <Failure failure={PACKS_FAILED} />;
}

function Failure({ failure }: { failure: FormResult }) {
  return (
    <div className="mx-auto max-w-3xl px-4 pt-6">
      <FormErrors result={failure} />
    </div>
  );
}

export function BuyCredits({ variant }: Pick<ComponentProps<typeof Button>, "variant">) {
  return (
    <IntentForm
      intent="buy-credits"
      preventScrollReset
      onPointerEnter={loadAhead}
      onFocus={loadAhead}
    >
      <SubmitButton variant={variant} pendingLabel="Buy credits">
        Buy credits
      </SubmitButton>
    </IntentForm>
  );
}
