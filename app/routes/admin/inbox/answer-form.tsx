import { Form } from "react-router";
import { ANSWER_MAX } from "#app/features/support/rules.ts";
import { Button } from "#app/ui/button.tsx";
import { TextAreaField } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { type FormAnswer, FormProblem, fieldOf } from "#app/routes/settings/form-problem.tsx";
import { usePendingIntent } from "#app/routes/use-pending-intent.ts";
import type { LetterWords } from "./letter-words.ts";

interface AnswerFormProps {
  letter: LetterWords;
  answerId: string;
  refusal: FormAnswer | undefined;
}

/** Writes to the player by mail. A second one may follow the first. */
export function AnswerForm({ letter, answerId, refusal }: AnswerFormProps) {
  const isPending = usePendingIntent() === "answer";
  const { writer, answers } = letter;
  const own = refusal?.errors?.refunded ? undefined : refusal;
  if (writer.isGone) {
    return (
      <>
        <FormProblem answer={own} />
        <Notice>This account is deleted: there is nobody to answer.</Notice>
      </>
    );
  }
  return (
    <Form method="post" noValidate preventScrollReset className="grid gap-4">
      <input type="hidden" name="intent" value="answer" />
      <input type="hidden" name="answerId" value={answerId} />
      <input type="hidden" name="seen" value={answers.length} />
      <TextAreaField
        {...fieldOf(own, "answer")}
        label={answers.length > 0 ? "Another answer" : "Answer"}
        hint={`Goes by mail to ${writer.email}. The mail says hello and repeats what was written.`}
        rows={6}
        maxLength={ANSWER_MAX}
        required
      />
      <FormProblem answer={own} />
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
