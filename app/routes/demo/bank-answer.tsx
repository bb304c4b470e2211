import { Form, useNavigation } from "react-router";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";

type BankAnswerProps = {
  bank: "awaited" | "refused";
  sessionId: string;
  /** The same checkout from its start. */
  again: string;
  problem: string | undefined;
};

/** After paying later: the bank's answer is for the visitor to give. */
export function BankAnswer({ bank, sessionId, again, problem }: BankAnswerProps) {
  if (bank === "refused") {
    return (
      <section className="grid gap-4 rounded-card bg-surface p-4 shadow-card md:p-6">
        <Notice tone="danger" title="The bank refused">
          Nothing was paid, and no credits were given.
        </Notice>
        <ButtonLink to={again}>Try again</ButtonLink>
      </section>
    );
  }
  return (
    <section className="grid gap-4 rounded-card bg-surface p-4 shadow-card md:p-6">
      {problem && <Notice tone="danger">{problem}</Notice>}
      <h2 className="text-lg">Your bank will confirm</h2>
      <p className="text-muted">
        The order is placed; the money is on its way. Credits come when the bank confirms.
      </p>
      <BankForm sessionId={sessionId} />
      <ButtonLink to={`/wallet/paid?session_id=${sessionId}`} variant="quiet">
        Go on without waiting
      </ButtonLink>
    </section>
  );
}

function BankForm({ sessionId }: { sessionId: string }) {
  const pending = useNavigation().formData?.get("intent");
  return (
    <Form method="post" className="grid gap-3">
      <input type="hidden" name="sessionId" value={sessionId} />
      <Button
        name="intent"
        value="bank-confirms"
        variant="primary"
        pending={pending === "bank-confirms"}
      >
        The bank confirms
      </Button>
      <Button name="intent" value="bank-refuses" pending={pending === "bank-refuses"}>
        The bank refuses
      </Button>
    </Form>
  );
}
