import { useEffect } from "react";
import { ErrorSummary } from "#app/ui/error-summary.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { toast } from "#app/ui/toast.ts";

/** What a refused form of the settings is answered with. */
export interface FormAnswer {
  /** What is wrong with which field. */
  errors?: Record<string, string>;
  /** Why it failed as a whole. */
  failure?: string;
  /** What was typed, without passwords. */
  values?: Record<string, string>;
}

/** The red box above the button of a form that was refused; a toast says a failure too. */
export function FormProblem({ answer }: { answer: FormAnswer | undefined }) {
  useEffect(() => {
    if (answer?.failure) toast({ title: "Error", description: answer.failure, tone: "danger" });
  }, [answer]);
  if (answer?.failure) return <Notice tone="danger">{answer.failure}</Notice>;
  const errors = Object.entries(answer?.errors ?? {});
  const listed = errors.map(([field, message]) => ({ field, message }));
  return <ErrorSummary errors={listed} of={answer} />;
}

/** What a field of the form shows again; its id is its name. */
export function fieldOf(answer: FormAnswer | undefined, name: string) {
  return {
    id: name,
    name,
    defaultValue: answer?.values?.[name],
    error: answer?.errors?.[name],
  };
}
