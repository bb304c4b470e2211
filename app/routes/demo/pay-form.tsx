import { Form } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { usePendingIntent } from "#app/routes/use-pending-intent.ts";
import type { SaleWords } from "./sale-words.ts";

type PayFormProps = {
  pack: SaleWords;
  email: string;
  /** Whether the link names a player. */
  hasPlayer: boolean;
  sessionId: string;
  problem: string | undefined;
};

/** The ways to pay, and not to. It asks for no card, so that nobody types in a real one. */
export function PayForm({ pack, email, hasPlayer, sessionId, problem }: PayFormProps) {
  const pending = usePendingIntent();
  return (
    <Form method="post" className="grid gap-4 rounded-card bg-surface p-4 shadow-card md:p-6">
      <input type="hidden" name="sessionId" value={sessionId} />
      {problem && <Notice tone="danger">{problem}</Notice>}
      {!hasPlayer && (
        <Notice tone="warn" title="This link names no player">
          What is paid here waits until somebody matches it.
        </Notice>
      )}
      <TextField
        id="sandbox-email"
        label="Email"
        type="email"
        name="email"
        autoComplete="email"
        maxLength={255}
        required
        defaultValue={email}
      />
      <Deed intent={pack.isMonthly ? "subscribe" : "pay"} pending={pending} isMain>
        {pack.isMonthly ? `Subscribe for ${pack.price}` : `Pay ${pack.price}`}
      </Deed>
      <h2 className="mt-2 text-base">What else can happen</h2>
      {!pack.isMonthly && (
        <Deed intent="pay-later" pending={pending} hint="The bank says later whether it pays.">
          Pay later
        </Deed>
      )}
      <Deed intent="decline" pending={pending} hint="The card is declined.">
        Fail
      </Deed>
    </Form>
  );
}

type DeedProps = {
  intent: string;
  pending: string | undefined;
  isMain?: boolean;
  hint?: string;
  children: string;
};

function Deed({ intent, pending, isMain, hint, children }: DeedProps) {
  const hintId = hint && `${intent}-hint`;
  return (
    <div className="grid gap-1">
      <Button
        name="intent"
        value={intent}
        wide
        pending={pending === intent}
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
