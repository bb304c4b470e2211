import type { ReactNode } from "react";
import { useRevalidator } from "react-router";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { Countdown } from "#app/ui/countdown.tsx";

type HeldUntilProps = { until: string; leftSeconds: number; children?: ReactNode };

/** Until when a spot is held, of any kind, and what is left of that. */
export function HeldUntil({ until, leftSeconds, children }: HeldUntilProps) {
  const { revalidate } = useRevalidator();
  return (
    <p className="flex flex-wrap justify-between gap-x-3 font-semibold tabular-nums">
      <span>{children ?? `Spot held until ${until}`}</span>
      <Countdown seconds={leftSeconds} onEnd={() => void revalidate()} />
    </p>
  );
}

/** Opens the plans, which are for the game that the spot is held in. */
export function ContinueToPayment() {
  return (
    <IntentForm intent="buy-credits" preventScrollReset className="max-sm:grow">
      <SubmitButton variant="primary" wide pendingLabel="Opening plans…">
        Continue to payment
      </SubmitButton>
    </IntentForm>
  );
}

export const PAYMENT_PENDING = "Your payment is under way. Once it is confirmed, you are in.";
