import { useEffect, useRef } from "react";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { Notice } from "../../ui/notice.tsx";
import { toast } from "../../ui/toast.ts";
import type { Answer } from "./answer.ts";

/** Says what worked, on the page and in a toast. A failed resend has no form of its own to say it. */
export function AnswerNotice({ answer }: { answer: Answer | undefined }) {
  useAnswerToast(answer);
  const box = useRef<HTMLDivElement>(null);
  // The form is long and its button far below: the reader is taken to what came of it.
  useEffect(() => box.current?.focus(), [answer]);
  if (answer?.notice) {
    return (
      <div ref={box} tabIndex={-1} className="outline-none">
        <Notice tone="good" title={answer.notice.title}>
          {answer.notice.description}
        </Notice>
      </div>
    );
  }
  return answer?.form === "resend" ? <FormFailure answer={answer} prefix="resend" /> : null;
}

interface FormFailureProps {
  answer: Answer | undefined;
  /** What the ids of the form's fields begin with. */
  prefix: string;
}

/** The red box above the button of a form that was refused. */
export function FormFailure({ answer, prefix }: FormFailureProps) {
  if (answer?.failure) return <Notice tone="danger">{answer.failure.description}</Notice>;
  const errors = Object.entries(answer?.errors ?? {}).map(([name, message]) => ({
    field: fieldId(prefix, name),
    message,
  }));
  return <ErrorSummary errors={errors} of={answer} />;
}

export function fieldId(prefix: string, name: string): string {
  return `${prefix}-${name}`;
}

function useAnswerToast(answer: Answer | undefined) {
  useEffect(() => {
    if (answer?.notice) toast({ ...answer.notice, tone: "good" });
    if (answer?.failure) toast({ ...answer.failure, tone: "danger" });
  }, [answer]);
}
