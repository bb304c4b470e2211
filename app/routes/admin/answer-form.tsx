import { ANSWER_MAX } from "#app/features/support/rules.ts";
import { fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { TextAreaField } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";

interface AnswerFormProps {
  ticket: { writer: { email: string; isGone: boolean }; thread: unknown[] };
  answerId: string;
  /** An address; null if replies come into the thread. */
  repliesTo: string | null;
  /** The page of the message, from another one. */
  action?: string;
  result?: FormResult | undefined;
}

/** Emails the player. There may be several answers. */
export function AnswerForm({ ticket, answerId, repliesTo, action, result }: AnswerFormProps) {
  const { writer, thread } = ticket;
  if (writer.isGone) {
    return <Notice>This account is deleted: there is nobody to answer.</Notice>;
  }
  return (
    <IntentForm
      intent="answer"
      action={action}
      hidden={{ seen: thread.length }}
      once={{ answerId }}
      result={result}
      preventScrollReset={!action}
    >
      <TextAreaField
        {...fieldProps(result, "answer")}
        label={thread.length > 0 ? "Another answer" : "Answer"}
        hint={
          `Goes by email to ${writer.email}, with the message quoted, and “Hi” if you do not greet. ` +
          `Replies ${repliesTo ? `go to ${repliesTo}.` : "appear here."}`
        }
        rows={action ? 3 : 6}
        maxLength={ANSWER_MAX}
        required
      />
      <SubmitButton
        variant="primary"
        pendingLabel="Sending…"
        className="justify-self-start max-md:w-full"
      >
        Send answer
      </SubmitButton>
    </IntentForm>
  );
}
