import type { ReactNode } from "react";
import { Form } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { AssignForm } from "./assign-form.tsx";
import { SetAsideDialog } from "./set-aside-dialog.tsx";
import type { PackChoice, ParkedWords } from "./parked-words.ts";
import type { Refusal } from "./settle-form.ts";
import { headingId, SettleFields, settlePath, usePendingIntent } from "./settle-fields.tsx";

type ParkedCardProps = {
  payment: ParkedWords;
  packs: PackChoice[];
  refusal: Refusal | undefined;
};

/** One parked event: what it is, why it waits, and what can be done about it. */
export function ParkedCard({ payment, packs, refusal }: ParkedCardProps) {
  const heading = headingId(payment.id);
  const isTrying = usePendingIntent(payment.id) === "retry";
  return (
    <article
      aria-labelledby={heading}
      className="grid gap-5 rounded-card bg-surface p-4 shadow-card md:grid-cols-2 md:gap-8 md:p-6"
    >
      <Facts payment={payment} heading={heading} />
      <div className="grid content-start gap-4">
        {refusal?.notice && (
          <Notice tone="danger" title={refusal.notice.title}>
            {refusal.notice.description}
          </Notice>
        )}
        {payment.assign && (
          <AssignForm
            eventId={payment.id}
            assign={payment.assign}
            packs={packs}
            refusal={refusal}
          />
        )}
        <div className="flex flex-wrap gap-3">
          <Form
            method="post"
            action={settlePath(payment.id)}
            preventScrollReset
            className="grow basis-0"
          >
            <SettleFields intent="retry" eventId={payment.id} />
            <Button wide pending={isTrying} pendingLabel="Trying…" aria-describedby={heading}>
              Try again
            </Button>
          </Form>
          <SetAsideDialog payment={payment} />
        </div>
      </div>
    </article>
  );
}

function Facts({ payment, heading }: { payment: ParkedWords; heading: string }) {
  return (
    <div className="grid min-w-0 content-start gap-4">
      <div>
        <h3
          id={heading}
          className="flex scroll-mt-20 flex-wrap items-baseline justify-between gap-x-4 text-lg"
        >
          <span>{payment.kind}</span>{" "}
          {payment.amount && <span className="tabular-nums">{payment.amount}</span>}
        </h3>
        <p className="mt-2 font-semibold">{payment.why}</p>
        <p className="mt-1 text-muted">{payment.todo}</p>
      </div>
      <dl className="grid gap-x-4 gap-y-1 text-sm">
        <Fact name="Received">
          <span className="tabular-nums">{payment.received}</span>
        </Fact>
        <Fact name="Stripe's id">
          <code className="font-mono break-all select-all">{payment.objectId}</code>
        </Fact>
      </dl>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[6rem_1fr] gap-x-2">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
