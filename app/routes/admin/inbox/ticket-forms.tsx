import type { ReactNode } from "react";
import { Form } from "react-router";
import { ANSWER_MAX, REFUSAL_MAX } from "#app/features/support/rules.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { usePendingIntent } from "#app/routes/use-pending-intent.ts";
import { Button } from "#app/ui/button.tsx";
import { TextAreaField } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { TicketView, WithdrawalView } from "./inbox-view.ts";

interface RefundProps {
  withdrawal: WithdrawalView;
  result: FormResult | undefined;
}

/** What has to be refunded, how far that has come, and the form that marks it as done. */
export function Refund({ withdrawal, result }: RefundProps) {
  const { ended } = withdrawal;
  return (
    <section
      aria-labelledby="refund"
      className="grid gap-4 rounded-card bg-surface p-4 shadow-card"
    >
      <h2 id="refund" className="text-lg">
        {HEADINGS[withdrawal.state]}
      </h2>
      <dl className="grid gap-1 tabular-nums">
        <Fact name="Amount">{withdrawal.amount}</Fact>
        <Fact name="For">{withdrawal.credits} unused</Fact>
        <Fact name="Purchase">{withdrawal.packName}</Fact>
        <Fact name="Payment number">
          <code className="font-mono text-sm break-all select-all">
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
            <span className="[overflow-wrap:anywhere] whitespace-pre-line">{ended.reason}</span>
          </Fact>
        )}
      </dl>
      <Notice tone={withdrawal.isRefunded ? "good" : "info"} title={withdrawal.task}>
        {refundState(withdrawal)}
      </Notice>
      {withdrawal.canMarkRefunded && <RefundForm amount={withdrawal.amount} result={result} />}
    </section>
  );
}

const HEADINGS: Record<WithdrawalView["state"], string> = {
  waiting: "Refund due",
  "paid-back": "Refunded",
  refused: "No refund due",
  "taken-back": "No refund due",
};

/** Where the money is, and where the credits are. */
function refundState({ isRefunded, creditsTaken, ended }: WithdrawalView): string {
  if (ended && isRefunded) return "Stripe has confirmed a refund of this payment since.";
  if (ended) return "The credits are back in the wallet. Do not refund this payment.";
  if (isRefunded) return "Stripe has confirmed the refund.";
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

type FormProps = { result: FormResult | undefined };

function RefundForm({ amount, result }: FormProps & { amount: string }) {
  const isPending = usePendingIntent() === "paid-back";
  return (
    <Form method="post" noValidate preventScrollReset className="grid justify-items-start gap-4">
      <input type="hidden" name="intent" value="paid-back" />
      <label className="flex min-h-11 items-center gap-3 font-semibold">
        <input
          id="refunded"
          type="checkbox"
          name="refunded"
          required
          aria-invalid={result?.fieldErrors?.refunded ? true : undefined}
          className="size-5 shrink-0"
        />
        I have refunded {amount} at Stripe
      </label>
      <FormErrors result={result} />
      <Button pending={isPending} pendingLabel="Saving…" className="max-md:w-full">
        Mark as refunded
      </Button>
    </Form>
  );
}

/** For a withdrawal of which nothing was refunded yet. */
export function RejectForm({ result }: FormProps) {
  const isPending = usePendingIntent() === "reject";
  return (
    <section
      aria-labelledby="reject"
      className="grid gap-4 rounded-card bg-surface p-4 shadow-card"
    >
      <h2 id="reject" className="text-lg">
        Reject
      </h2>
      <Form method="post" noValidate preventScrollReset className="grid gap-4">
        <input type="hidden" name="intent" value="reject" />
        <TextAreaField
          {...fieldProps(result, "reason")}
          label="Reason"
          hint="Goes to the player by email. The credits return to the wallet."
          rows={3}
          maxLength={REFUSAL_MAX}
          required
        />
        <FormErrors result={result} />
        <Button
          variant="danger"
          pending={isPending}
          pendingLabel="Rejecting…"
          className="justify-self-start max-md:w-full"
        >
          Reject withdrawal
        </Button>
      </Form>
    </section>
  );
}

type AnswerFormProps = FormProps & { ticket: TicketView; answerId: string };

/** Writes to the player by email. A second answer may follow the first. */
export function AnswerForm({ ticket: { writer, answers }, answerId, result }: AnswerFormProps) {
  const isPending = usePendingIntent() === "answer";
  if (writer.isGone) {
    return <Notice>This account is deleted: there is nobody to answer.</Notice>;
  }
  return (
    <Form method="post" noValidate preventScrollReset className="grid gap-4">
      <input type="hidden" name="intent" value="answer" />
      <input type="hidden" name="answerId" value={answerId} />
      <input type="hidden" name="seen" value={answers.length} />
      <TextAreaField
        {...fieldProps(result, "answer")}
        label={answers.length > 0 ? "Another answer" : "Answer"}
        hint={`Goes by email to ${writer.email}. It begins with a greeting and quotes the message.`}
        rows={6}
        maxLength={ANSWER_MAX}
        required
      />
      <FormErrors result={result} />
      <Button
        variant="primary"
        pending={isPending}
        pendingLabel="Sending…"
        className="justify-self-start max-md:w-full"
      >
        Send answer
      </Button>
    </Form>
  );
}

/** Closes a ticket without an answer, or reopens it. */
export function MarkForm({ isDone }: { isDone: boolean }) {
  const intent = isDone ? "open" : "done";
  const isPending = usePendingIntent() === intent;
  return (
    <Form method="post" preventScrollReset className="border-t border-line pt-4">
      <input type="hidden" name="intent" value={intent} />
      <Button pending={isPending} pendingLabel="Saving…" className="max-md:w-full">
        {isDone ? "Reopen" : "Mark as done"}
      </Button>
    </Form>
  );
}
