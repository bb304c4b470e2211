import type { ReactNode } from "react";
import { REJECTION_MAX } from "#app/features/support/rules.ts";
import { fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { Shown } from "#app/forms/shown.tsx";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { FormKey } from "#app/forms/form-key.tsx";
import { Dialog, DialogClose, DialogTrigger } from "#app/ui/dialog.tsx";
import { Panel } from "#app/routes/admin/page.tsx";
import { TextAreaField } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { TicketView, WithdrawalView } from "./inbox-view.server.ts";

type FormProps = { result: FormResult | undefined };

export function Refund({ withdrawal, result }: FormProps & { withdrawal: WithdrawalView }) {
  const { ended } = withdrawal;
  return (
    <Panel title={HEADINGS[withdrawal.state]}>
      <dl className="grid gap-1 tabular-nums">
        <Fact name="Amount">{withdrawal.amount}</Fact>
        {withdrawal.due && <Fact name="Due">{withdrawal.due}</Fact>}
        <Fact name="For">{withdrawal.credits} unused</Fact>
        <Fact name="Purchase">{withdrawal.packName}</Fact>
        <Fact name="Payment">
          {withdrawal.dashboard && (
            <a href={withdrawal.dashboard} rel="noopener" className="link block font-semibold">
              Open at Stripe
            </a>
          )}
          <code className="font-mono text-sm break-all text-muted select-all">
            {withdrawal.stripeObjectId}
          </code>
        </Fact>
        {withdrawal.refunded && <Fact name="Refunded">{withdrawal.refunded}</Fact>}
        {ended?.outcome === "refused" && (
          <Fact name="Rejected">{`${ended.by}, ${ended.when}`}</Fact>
        )}
        {ended?.outcome === "taken_back" && (
          <Fact name="Taken back">by the player, {ended.when}</Fact>
        )}
        {ended?.reason && (
          <Fact name="Reason">
            <span className="wrap-anywhere whitespace-pre-line">{ended.reason}</span>
          </Fact>
        )}
      </dl>
      <Notice tone={withdrawal.isFullyRefunded ? "good" : "info"} title={withdrawal.task}>
        {refundState(withdrawal)}
      </Notice>
      {withdrawal.canRefund && <RefundNow withdrawal={withdrawal} />}
      {withdrawal.canMarkRefunded && <RefundForm withdrawal={withdrawal} result={result} />}
    </Panel>
  );
}

const HEADINGS: Record<WithdrawalView["state"], string> = {
  waiting: "Refund due",
  "paid-back": "Refunded",
  refused: "No refund due",
  "taken-back": "No refund due",
};

function refundState({ isFullyRefunded, creditsTaken, ended }: WithdrawalView): string {
  if (ended && isFullyRefunded) return "Stripe has confirmed a refund of this payment since.";
  if (ended) return "The credits are back in the wallet. Do not refund this payment.";
  if (isFullyRefunded) return "Stripe has confirmed the refund.";
  const credits = creditsTaken
    ? "The credits have left the wallet already."
    : "When it does, the credits leave the wallet.";
  return `Stripe has not confirmed the refund yet. ${credits}`;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[6rem_1fr] gap-x-2">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

/** One confirmation: how much, to whom, and what became of the credits. */
function RefundNow({ withdrawal }: { withdrawal: WithdrawalView }) {
  const { amount, player, credits, creditsTaken } = withdrawal;
  const dialog = "refund-now";
  const wallet = creditsTaken
    ? `The ${credits} have left the wallet already.`
    : `The ${credits} leave the wallet when Stripe has refunded it.`;
  return (
    <>
      <DialogTrigger dialog={dialog} variant="primary" className={buttonClass}>
        Refund {amount}
      </DialogTrigger>
      <Dialog id={dialog} title={`Refund ${amount} to ${player}?`}>
        <p>Stripe pays it back in the way it was paid. {wallet}</p>
        <IntentForm
          intent="refund"
          preventScrollReset
          className="mt-6 flex flex-wrap justify-end gap-3"
        >
          <FormKey />
          <Shown facts={withdrawal.shown} />
          <DialogClose dialog={dialog}>Not yet</DialogClose>
          <SubmitButton variant="primary" pendingLabel="Refunding…">
            Refund {amount}
          </SubmitButton>
        </IntentForm>
      </Dialog>
    </>
  );
}

function RefundForm({ withdrawal, result }: FormProps & { withdrawal: WithdrawalView }) {
  return (
    <IntentForm intent="paid-back" result={result} preventScrollReset>
      <Shown facts={withdrawal.shown} />
      <label className="flex min-h-11 items-center gap-3 font-semibold">
        <input
          id="refunded"
          type="checkbox"
          name="refunded"
          required
          aria-invalid={result?.fieldErrors?.refunded ? true : undefined}
          className="size-5 shrink-0"
        />
        I have refunded {withdrawal.amount} at Stripe
      </label>
      <SubmitButton className={buttonClass}>Mark as refunded</SubmitButton>
    </IntentForm>
  );
}

const buttonClass = "justify-self-start max-md:w-full";

export function RejectForm({ result }: FormProps) {
  return (
    <Panel title="Reject">
      <IntentForm intent="reject" result={result} preventScrollReset>
        <TextAreaField
          {...fieldProps(result, "reason")}
          label="Reason"
          hint="Goes to the player by email. The credits return to the wallet."
          rows={3}
          maxLength={REJECTION_MAX}
          required
        />
        <SubmitButton variant="danger" pendingLabel="Rejecting…" className={buttonClass}>
          Reject withdrawal
        </SubmitButton>
      </IntentForm>
    </Panel>
  );
}

export function MarkForm({ ticket: { isDone, thread } }: { ticket: TicketView }) {
  return (
    <IntentForm
      intent={isDone ? "open" : "done"}
      hidden={isDone ? {} : { seen: thread.length }}
      preventScrollReset
      className="border-t border-line pt-4"
    >
      <SubmitButton className="max-md:w-full">{isDone ? "Reopen" : "Mark as done"}</SubmitButton>
    </IntentForm>
  );
}
