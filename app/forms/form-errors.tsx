import { type ReactNode, useEffect, useRef } from "react";
import { ErrorSummary } from "#app/ui/error-summary.tsx";
import { toast } from "#app/ui/toast.ts";
import { EditConflict } from "./edit-conflict.tsx";
import type { FormResult } from "./form-result.ts";

interface FormErrorsProps {
  result: FormResult | null | undefined;
  /** The id of the field of that name, where it is another. */
  fieldId?: ((name: string) => string) | undefined;
  /** Says it in a toast as well, where the specification quotes one. */
  hasToast?: boolean | undefined;
}

/**
 * Over a form that did not succeed: a conflict, what is wrong with which field, or why it failed as
 * a whole. It takes the focus, so that the reader starts there.
 */
export function FormErrors({ result, fieldId = (name) => name, hasToast }: FormErrorsProps) {
  useEffect(() => {
    if (!result || !hasToast) return;
    const { title = "Error", formError, fieldErrors = {} } = result;
    toast({ title, description: formError ?? Object.values(fieldErrors)[0], tone: "danger" });
  }, [result, hasToast]);
  if (!result) return null;
  const { title, formError, fieldErrors = {}, conflict } = result;
  if (conflict) {
    return (
      <FocusedBox of={result} label="Conflict">
        <EditConflict differences={conflict.differences} />
      </FocusedBox>
    );
  }
  const errors = Object.entries(fieldErrors).map(([name, message]) => ({
    field: name ? fieldId(name) : undefined,
    message,
  }));
  if (formError) errors.unshift({ field: undefined, message: formError });
  return <ErrorSummary title={title} errors={errors} of={result} />;
}

interface FocusedBoxProps {
  /** The result that it is about: another one takes the focus again. */
  of: unknown;
  /** Makes it a group of this name. */
  label?: string;
  children: ReactNode;
}

/** Over a long form whose button is at its end: brings the reader to what came of it. */
export function FocusedBox({ of, label, children }: FocusedBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), [of]);
  return (
    <div
      ref={box}
      tabIndex={-1}
      role={label && "group"}
      aria-label={label}
      className="scroll-mt-20 rounded-card"
    >
      {children}
    </div>
  );
}
