import { useEffect } from "react";
import { ErrorSummary } from "#app/ui/error-summary.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { toast } from "#app/ui/toast.ts";
import { type Answer, REFUSED } from "./answer.ts";

interface FormFailureProps {
  answer: Answer | undefined;
  /** What the ids of the form's fields begin with. */
  prefix: string;
}

/** The red box above the button of a form that was refused. */
export function FormFailure({ answer, prefix }: FormFailureProps) {
  if (answer?.failure) return <Notice tone="danger">{answer.failure}</Notice>;
  const errors = Object.entries(answer?.errors ?? {}).map(([name, message]) => ({
    field: fieldId(prefix, name),
    message,
  }));
  return <ErrorSummary errors={errors} of={answer} />;
}

export function fieldId(prefix: string, name: string): string {
  return `${prefix}-${name}`;
}

/** What the page says, in a toast as well. */
export function useAnswerToast(answer: Answer | undefined) {
  useEffect(() => {
    if (answer?.notice) toast({ ...answer.notice, tone: "good" });
    const [why] = [answer?.failure, ...Object.values(answer?.errors ?? {})].filter(Boolean);
    if (answer && why) toast({ title: REFUSED[answer.form], description: why, tone: "danger" });
  }, [answer]);
}
