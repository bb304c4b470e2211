import { useNavigation } from "react-router";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { PostForm } from "#app/forms/post-form.tsx";
import { Shown } from "#app/forms/shown.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { Route } from "./+types/checkout";

type PageProps = { page: Route.ComponentProps["loaderData"]; result: FormResult | undefined };

/** No card field, so that nobody types in a real card. */
export function PayForm({ page, result }: PageProps) {
  const { pack, amount, missing, email, hasPlayer, sessionId, shown } = page;
  const pay = amount === null ? `Pay ${pack.price}` : "Pay";
  return (
    <PostForm className="grid gap-4 rounded-card bg-surface p-4 shadow-card md:p-6">
      <input type="hidden" name="sessionId" value={sessionId} />
      <input type="hidden" name="opened" value={page.opened} />
      <Shown facts={shown} />
      <FormErrors result={result} />
      {!hasPlayer && (
        <Notice tone="warn" title="This link names no player">
          What is paid here waits until somebody matches it.
        </Notice>
      )}
      <TextField
        {...fieldProps(result, "email", email)}
        label="Email"
        type="email"
        autoComplete="email"
        maxLength={255}
        required
      />
      {amount !== null && (
        <TextField
          {...fieldProps(result, "amount", amount)}
          label="Amount in euros"
          hint={missing && `${missing} With less you are not in.`}
          inputMode="decimal"
          autoComplete="off"
          maxLength={12}
          required
        />
      )}
      <PayButton intent={pack.isMonthly ? "subscribe" : "pay"} isMain>
        {pack.isMonthly ? `Subscribe for ${pack.price}` : pay}
      </PayButton>
      <h2 className="mt-2 text-base">What else can happen</h2>
      <div className={`grid items-start gap-3 ${pack.isMonthly ? "" : "grid-cols-2"}`}>
        {!pack.isMonthly && (
          <PayButton intent="pay-later" hint="The payment is confirmed later.">
            Pay later
          </PayButton>
        )}
        <PayButton intent="decline" hint="The card is declined.">
          Fail
        </PayButton>
      </div>
    </PostForm>
  );
}

export function BankForm({ page: { sessionId }, result }: PageProps) {
  return (
    <section className="grid gap-4 rounded-card bg-surface p-4 shadow-card md:p-6">
      <FormErrors result={result} />
      <h2 className="text-lg">Your bank will confirm</h2>
      <p className="text-muted">
        The order is placed; the money is on its way. Credits come when the bank confirms.
      </p>
      <PostForm className="grid gap-3">
        <input type="hidden" name="sessionId" value={sessionId} />
        <PayButton intent="bank-confirms" isMain>
          The bank confirms
        </PayButton>
        <PayButton intent="bank-declines">The bank declines</PayButton>
      </PostForm>
      <ButtonLink to={`/wallet/paid?session_id=${sessionId}`} variant="quiet">
        Go on without waiting
      </ButtonLink>
    </section>
  );
}

type PayButtonProps = { intent: string; isMain?: boolean; hint?: string; children: string };

function PayButton({ intent, isMain, hint, children }: PayButtonProps) {
  const isPending = useNavigation().formData?.get("intent") === intent;
  const hintId = hint && `${intent}-hint`;
  return (
    <div className="grid gap-1">
      <Button
        name="intent"
        value={intent}
        wide
        pending={isPending}
        aria-describedby={hintId}
        {...(isMain && { variant: "primary", size: "lg" })}
      >
        {children}
      </Button>
      {hint && (
        <p id={hintId} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
