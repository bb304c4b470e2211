import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { Button } from "#app/ui/button.tsx";
import type { PurchaseWords } from "./withdraw-words.ts";

interface PurchaseFormProps {
  purchases: PurchaseWords[];
  /** Who withdraws, and where the acknowledgement goes. */
  name: string;
  email: string;
  children: ReactNode;
}

/** The first step: which purchase. Nothing is done yet. */
export function PurchaseForm({ purchases, name, email, children }: PurchaseFormProps) {
  const pending = useNavigation().formData?.get("intent") === "state";
  return (
    <Form method="post" className="grid gap-5">
      <input type="hidden" name="intent" value="state" />
      <fieldset>
        <legend className="mb-1.5 font-semibold">I withdraw from</legend>
        <div className="grid gap-2">
          {purchases.map((purchase) => (
            <Choice key={purchase.paymentId} purchase={purchase} isOnly={purchases.length === 1} />
          ))}
        </div>
      </fieldset>
      <p className="text-sm text-muted">
        You withdraw as {name}. We acknowledge it by mail to {email}.
      </p>
      {children}
      <Button variant="primary" size="lg" wide pending={pending}>
        Withdraw from this purchase
      </Button>
    </Form>
  );
}

function Choice({ purchase, isOnly }: { purchase: PurchaseWords; isOnly: boolean }) {
  const { paymentId, packName, paid, unused, refund, until } = purchase;
  return (
    <label htmlFor={paymentId} className={choiceClass}>
      <input
        id={paymentId}
        type="radio"
        name="paymentId"
        value={paymentId}
        defaultChecked={isOnly}
        className="row-span-3 mt-0.5 size-5 accent-(--ink)"
      />
      <span className="font-semibold">{packName}</span>
      <span className="text-sm text-muted tabular-nums">{paid}</span>
      <span className="text-sm tabular-nums">
        {unused}: {refund} back, <span className="whitespace-nowrap">{until}</span>
      </span>
    </label>
  );
}

const choiceClass =
  "grid grid-cols-[auto_1fr] gap-x-3 rounded-card border border-edge bg-raised p-4 hover:border-ink has-checked:border-ink";
