import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";

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
