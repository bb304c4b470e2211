import { FormErrors } from "#app/forms/form-errors.tsx";
import { FormKey } from "#app/forms/form-key.tsx";
import { PostForm } from "#app/forms/post-form.tsx";
import { Shown } from "#app/forms/shown.tsx";
import { Button } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { BegunPayment } from "./begun-payment.server.ts";
import { useCheckout } from "./use-checkout.ts";

type ContinuePaymentProps = {
  begun: BegunPayment;
  className?: string;
  size?: "lg";
  children?: string;
};

/** Leads to a payment whose plan is known already; the same form as the plans'. */
export function ContinuePayment({
  begun,
  className,
  size,
  children = "Continue to payment",
}: ContinuePaymentProps) {
  const fetcher = useCheckout();
  const result = fetcher.data;
  const confirms = result?.confirms;
  return (
    <PostForm via={fetcher.Form} action="/checkout" className="-mt-2 grid w-full gap-2">
      {Object.entries(begun.fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Shown facts={result?.offer?.shown ?? begun.shown} />
      {!result?.buysCreditsAlone && <FormKey />}
      {confirms && <input type="hidden" name="confirmed" value={confirms} />}
      {confirms ? (
        <Notice tone="warn" title={result.title} isUrgent>
          <p className="tabular-nums">{result.formError}</p>
        </Notice>
      ) : (
        <FormErrors result={result} />
      )}
      <Button
        variant="primary"
        size={size}
        wide
        pending={fetcher.state !== "idle"}
        pendingLabel="Opening payment…"
        className={className}
      >
        {confirms ? "Pay anyway" : children}
      </Button>
    </PostForm>
  );
}
