import { Link } from "react-router";
import { FormKey } from "#app/forms/form-key.tsx";
import { fieldProps } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { ConfirmationBox, type ConfirmedResult } from "#app/routes/admin/confirmation.tsx";
import { Part } from "#app/routes/admin/page.tsx";
import { TextField } from "#app/ui/field.tsx";
import type { PurchaseView } from "./purchase-view.server.ts";

interface PurchasesProps {
  purchases: PurchaseView[];
  result: ConfirmedResult | undefined;
}

/** What was paid by card, and the refund of it: all of it, or a part. */
export function Purchases({ purchases, result }: PurchasesProps) {
  return (
    <Part id="purchases" title="Purchases" className="grid scroll-mt-20 gap-3">
      <ul className="divide-y divide-line rounded-card bg-surface shadow-card">
        {purchases.map((purchase) => (
          <li key={purchase.paymentId} className="grid gap-2 px-4 py-3">
            <Purchase
              purchase={purchase}
              result={result?.values?.paymentId === purchase.paymentId ? result : undefined}
            />
          </li>
        ))}
      </ul>
    </Part>
  );
}

interface PurchaseProps {
  purchase: PurchaseView;
  result: ConfirmedResult | undefined;
}

function Purchase({ purchase, result }: PurchaseProps) {
  const { pack, when, amount, back, left, unanswered, withdrawal, dashboard } = purchase;
  return (
    <>
      <div className="flex items-start justify-between gap-4">
        <span className="grid min-w-0">
          <span className="font-semibold wrap-anywhere">{pack}</span>{" "}
          <span className="text-sm text-muted tabular-nums">{[when, ...back].join(" · ")}</span>
        </span>
        <span className="whitespace-nowrap tabular-nums">{amount}</span>
      </div>
      {unanswered.map((refund) => (
        <AskAgain key={refund.refundId} purchase={purchase} refund={refund} />
      ))}
      <div className="flex flex-wrap items-start gap-x-6">
        {withdrawal && (
          <Link to={withdrawal} className="link inline-flex min-h-11 items-center">
            Withdrawal to refund
          </Link>
        )}
        {dashboard && (
          <a href={dashboard} rel="noopener" className="link inline-flex min-h-11 items-center">
            Open at Stripe
            <span className="sr-only">
              : {pack}, {when}
            </span>
          </a>
        )}
        {left && <RefundForm purchase={purchase} left={left} result={result} />}
      </div>
    </>
  );
}

type RefundFormProps = PurchaseProps & { left: NonNullable<PurchaseView["left"]> };

function RefundForm({ purchase, left, result }: RefundFormProps) {
  const { paymentId, pack, when } = purchase;
  const fieldId = (name: string) => `${name}-${paymentId}`;
  return (
    <details open={result !== undefined} className="open:basis-full">
      <summary className="link inline-flex min-h-11 cursor-pointer items-center">
        Refund
        <span className="sr-only">
          : {pack}, {when}
        </span>
      </summary>
      <IntentForm
        intent="refund"
        hidden={{ paymentId }}
        result={result}
        fieldId={fieldId}
        className="grid gap-3 pt-2 pb-1"
      >
        <FormKey />
        <TextField
          {...fieldProps(result, "amount", left.amount)}
          id={fieldId("amount")}
          label="Amount in € *"
          hint={`At most ${left.text}. You are asked once more, with what the credits become.`}
          inputMode="decimal"
          autoComplete="off"
          required
        />
        <ConfirmationBox confirmation={result?.confirmation} pendingLabel="Refunding…" />
        <SubmitButton
          variant={result?.confirmation ? "secondary" : "primary"}
          pendingLabel="Refunding…"
          className="md:justify-self-start"
        >
          Refund
        </SubmitButton>
      </IntentForm>
    </details>
  );
}

type AskAgainProps = Pick<PurchaseProps, "purchase"> & {
  refund: PurchaseView["unanswered"][number];
};

/** The refund's own key: whatever has become of it, the money goes back once. */
function AskAgain({ purchase: { paymentId }, refund }: AskAgainProps) {
  const { refundId, amount, text } = refund;
  return (
    <IntentForm
      intent="refund"
      hidden={{ paymentId, amount, formKey: refundId }}
      className="flex flex-wrap items-center justify-between gap-3"
    >
      <p>Stripe has not answered yet whether {text} went back.</p>
      <SubmitButton pendingLabel="Asking…">Ask again</SubmitButton>
    </IntentForm>
  );
}
