import type { ComponentProps, ReactNode } from "react";
import { useNavigation } from "react-router";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { PostForm } from "#app/forms/post-form.tsx";
import { Shown } from "#app/forms/shown.tsx";
import { signInPath } from "#app/routes/auth-path.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { Route } from "./+types/checkout";

type PageProps = { page: Route.ComponentProps["loaderData"]; result: FormResult | undefined };

type PayProps = PageProps & { price: string; onAmount: (typed: string) => void };

/** No card field, so that nobody types in a real card. */
export function PayForm({ page, result, price, onAmount }: PayProps) {
  const { pack, amount, missing, email, hasPlayer, sessionId, shown } = page;
  // Without JavaScript it cannot follow the amount.
  const follows = useHydrated() && /\d/.test(price);
  const pay = amount === null || follows ? `Pay ${price}` : "Pay";
  return (
    <PostForm className="contents">
      <input type="hidden" name="sessionId" value={sessionId} />
      <input type="hidden" name="opened" value={page.opened} />
      <Shown facts={shown} />
      <div className="grid content-start gap-4 rounded-card bg-surface p-4 shadow-card md:p-6">
        <FormErrors result={result} />
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
            onChange={(event) => onAmount(event.currentTarget.value)}
            required
          />
        )}
        <div className="grid gap-2">
          <PayButton
            intent={pack.isMonthly ? "subscribe" : "pay"}
            size="lg"
            variant={hasPlayer ? "primary" : "secondary"}
          >
            {pack.isMonthly ? `Subscribe for ${price}` : pay}
          </PayButton>
          <p className="text-sm text-muted">{page.methods}</p>
        </div>
      </div>
      <OtherOutcomes isMonthly={pack.isMonthly} />
    </PostForm>
  );
}

export function NoPlayer() {
  return (
    <Notice className="col-span-full">
      <div className="grid gap-3 sm:flex sm:items-center sm:justify-between">
        <div>
          <p className="font-bold">Not on your account yet</p>
          <p>
            Sign in first, and what you buy is yours at once. Otherwise an organiser matches it by
            hand.
          </p>
        </div>
        <ButtonLink to={signInPath("/wallet")} variant="primary" size="lg" className="sm:shrink-0">
          Sign In
        </ButtonLink>
      </div>
    </Notice>
  );
}

/** No choices of a buyer: what a card or a bank may do. */
function OtherOutcomes({ isMonthly }: { isMonthly: boolean }) {
  return (
    <SandboxOnly title="Sandbox: try another outcome">
      <div className={`grid items-start gap-3 ${isMonthly ? "" : "grid-cols-2"}`}>
        {!isMonthly && (
          <PayButton intent="pay-later" hint="The payment is confirmed later.">
            Pay later
          </PayButton>
        )}
        <PayButton intent="decline" hint="The card is declined.">
          Fail
        </PayButton>
      </div>
    </SandboxOnly>
  );
}

function SandboxOnly({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section
      aria-labelledby="sandbox-only"
      className="col-span-full grid gap-3 rounded-card border border-dashed border-edge p-4"
    >
      <h2 id="sandbox-only" className="text-sm text-muted">
        {title}
      </h2>
      {children}
    </section>
  );
}

export function BankForm({ page: { sessionId }, result }: PageProps) {
  return (
    <>
      <section className="grid gap-4 rounded-card bg-surface p-4 shadow-card md:p-6">
        <FormErrors result={result} />
        <h2 className="text-lg">Your bank will confirm</h2>
        <p className="text-muted">
          The order is placed; the money is on its way. Credits come when the bank confirms.
        </p>
        <ButtonLink to={`/wallet/paid?session_id=${sessionId}`} variant="primary" size="lg">
          Go on without waiting
        </ButtonLink>
      </section>
      <SandboxOnly title="Sandbox: what does the bank say?">
        <PostForm className="grid items-start gap-3 sm:grid-cols-2">
          <input type="hidden" name="sessionId" value={sessionId} />
          <PayButton intent="bank-confirms">The bank confirms</PayButton>
          <PayButton intent="bank-declines">The bank declines</PayButton>
        </PostForm>
      </SandboxOnly>
    </>
  );
}

type PayButtonProps = Pick<ComponentProps<typeof Button>, "variant" | "size"> & {
  intent: string;
  hint?: string;
  children: string;
};

function PayButton({ intent, hint, children, ...look }: PayButtonProps) {
  const isPending = useNavigation().formData?.get("intent") === intent;
  const hintId = hint && `${intent}-hint`;
  return (
    <div className="grid gap-1">
      <Button
        name="intent"
        value={intent}
        wide={!hint}
        pending={isPending}
        aria-describedby={hintId}
        className={hint && "justify-self-start text-sm"}
        {...look}
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
