import { Form } from "react-router";
import { REFUSAL_MAX } from "#app/features/support/rules.ts";
import { Button } from "#app/ui/button.tsx";
import { TextAreaField } from "#app/ui/field.tsx";
import { type FormAnswer, FormProblem, fieldOf } from "#app/routes/settings/form-problem.tsx";
import { usePendingIntent } from "#app/routes/use-pending-intent.ts";

/** Refuses a withdrawal that nothing was paid back for, with a reason for the player. */
export function RefuseForm({ refusal }: { refusal: FormAnswer | undefined }) {
  const isPending = usePendingIntent() === "refuse";
  return (
    <section
      aria-labelledby="refuse"
      className="grid gap-4 rounded-card bg-surface p-4 shadow-card"
    >
      <h2 id="refuse" className="text-lg">
        Refuse
      </h2>
      <Form method="post" noValidate preventScrollReset className="grid gap-4">
        <input type="hidden" name="intent" value="refuse" />
        <TextAreaField
          {...fieldOf(refusal, "reason")}
          label="Reason"
          hint="Goes to the player by mail. The credits return to the wallet."
          rows={3}
          maxLength={REFUSAL_MAX}
          required
        />
        <FormProblem answer={refusal} />
        <Button
          variant="danger"
          pending={isPending}
          pendingLabel="Refusing…"
          className="justify-self-start max-md:w-full"
        >
          Refuse withdrawal
        </Button>
      </Form>
    </section>
  );
}
