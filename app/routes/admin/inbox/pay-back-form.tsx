import type { ReactNode } from "react";
import { Form } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { type FormAnswer, FormProblem } from "#app/routes/settings/form-problem.tsx";
import { usePendingIntent } from "#app/routes/use-pending-intent.ts";
import type { PayBackWords } from "./letter-words.ts";

interface PayBackFormProps {
  payBack: PayBackWords;
  isDone: boolean;
  refusal: FormAnswer | undefined;
}

/** What has to go back to the player, how far that has come, and the note that it was sent. */
export function PayBackForm({ payBack, isDone, refusal }: PayBackFormProps) {
  return (
    <section
      aria-labelledby="pay-back"
      className="grid gap-4 rounded-card bg-surface p-4 shadow-card"
    >
      <h2 id="pay-back" className="text-lg">
        {HEADINGS[payBack.state]}
      </h2>
      <dl className="grid gap-1 tabular-nums">
        <Fact name="Money">{payBack.amount}</Fact>
        <Fact name="For">{payBack.credits} unused</Fact>
        <Fact name="Purchase">{payBack.packName}</Fact>
        <Fact name="Payment number">
          <code className="font-mono text-sm break-all select-all">{payBack.stripeObjectId}</code>
        </Fact>
        {payBack.paidBack && <Fact name="Paid back">{payBack.paidBack}</Fact>}
        {payBack.ended && <Fact name={ENDED[payBack.ended.outcome]}>{endedBy(payBack.ended)}</Fact>}
        {payBack.ended?.reason && (
          <Fact name="Reason">
            <span className="[overflow-wrap:anywhere] whitespace-pre-line">
              {payBack.ended.reason}
            </span>
          </Fact>
        )}
      </dl>
      <Notice tone={payBack.isRefunded ? "good" : "info"} title={payBack.task}>
        {creditsState(payBack)}
      </Notice>
      {!isDone && <PaidBack amount={payBack.amount} refusal={refusal} />}
    </section>
  );
}

const HEADINGS: Record<PayBackWords["state"], string> = {
  waiting: "To pay back",
  "paid-back": "Paid back",
  refused: "Not to be paid back",
  "taken-back": "Not to be paid back",
};

const ENDED = { refused: "Refused", taken_back: "Taken back" } as const;

function endedBy({ outcome, by, when }: NonNullable<PayBackWords["ended"]>): string {
  return `${outcome === "refused" ? by : "by the player"}, ${when}`;
}

/** Where the money is, and where the credits. */
function creditsState({ isRefunded, creditsTaken, ended }: PayBackWords): string {
  if (ended && isRefunded) return "Stripe has confirmed a refund of this payment since.";
  if (ended) return "The credits are back in the wallet. Do not refund this payment.";
  if (isRefunded) return "Stripe has confirmed the refund.";
  const credits = creditsTaken
    ? "The credits have left the wallet already."
    : "When it does, the credits leave the wallet.";
  return `Stripe has not confirmed the refund yet. ${credits}`;
}

function PaidBack({ amount, refusal }: { amount: string; refusal: FormAnswer | undefined }) {
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
          aria-invalid={refusal?.errors?.refunded ? true : undefined}
          className="size-5 shrink-0"
        />
        I have refunded {amount} at Stripe
      </label>
      {refusal?.errors?.refunded && <FormProblem answer={refusal} />}
      <Button pending={isPending} pendingLabel="Saving…" className="max-md:w-full">
        Mark as paid back
      </Button>
    </Form>
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
