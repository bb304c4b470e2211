import { Form, useNavigation } from "react-router";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { SettingsPage } from "./settings-page.tsx";
import type { WithdrawAnswer } from "./withdraw-words.ts";

interface ConfirmStepProps {
  purchase: NonNullable<WithdrawAnswer["stated"]>;
  email: string;
}

/** The second step: the statement in full, and the button that makes it. */
export function ConfirmStep({ purchase, email }: ConfirmStepProps) {
  const pending = useNavigation().formData?.get("intent") === "confirm";
  return (
    <SettingsPage title="Confirm your withdrawal">
      <blockquote className="rounded-card bg-surface p-5 text-lg shadow-card">
        I withdraw from my purchase of {purchase.packName}, as far as its credits are unused.
        <p className="mt-2 text-sm text-muted tabular-nums">{purchase.paid}</p>
        <p className="text-sm break-all text-muted">{purchase.reference}</p>
      </blockquote>
      <ul className="grid list-disc gap-2 pl-5">
        <li>
          {purchase.unused}: {purchase.refund} will be refunded to your means of payment within 14
          days.
        </li>
        <li>
          The credits leave your wallet at once. Until the refund is made you can take the
          withdrawal back, and have them again.
        </li>
        <li>An acknowledgement goes to {email} at once.</li>
      </ul>
      {purchase.isMonthly && (
        <Notice tone="warn">
          This is a month of a subscription. To stop the next ones, end it in your wallet under
          Manage subscription.
        </Notice>
      )}
      <Form method="post" className="grid gap-3">
        <input type="hidden" name="intent" value="confirm" />
        <input type="hidden" name="paymentId" value={purchase.paymentId} />
        <input type="hidden" name="formKey" value={purchase.formKey} />
        <Button variant="danger" size="lg" wide pending={pending} pendingLabel="Confirming...">
          Confirm withdrawal
        </Button>
        <ButtonLink to="/settings/withdraw" wide>
          Go back
        </ButtonLink>
      </Form>
    </SettingsPage>
  );
}
