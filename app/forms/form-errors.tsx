import { type ReactNode, useEffect, useRef } from "react";
import { ErrorSummary } from "#app/ui/error-summary.tsx";
import { toast as showToast } from "#app/ui/toast.ts";
import type { FormResult, Difference } from "./form-result.ts";
import { Notice } from "#app/ui/notice.tsx";
import { useIsLater } from "#app/ui/use-hydrated.ts";

interface FormErrorsProps {
  result: FormResult | null | undefined;
  fieldId?: ((name: string) => string) | undefined;
  /** Where the specification quotes a toast: beside the box if it quotes both, and screen readers
   * read the box; otherwise instead of it, where there are scripts. */
  toast?: "beside" | "instead" | undefined;
}

export function FormErrors({ result, fieldId = (name) => name, toast }: FormErrorsProps) {
  const isLater = useIsLater(result);
  const isAlone = toast === "instead" && isLater;
  useEffect(() => {
    if (!result || !toast || !isLater) return;
    const { title = "Error", formError, fieldErrors = {} } = result;
    const description = formError ?? Object.values(fieldErrors)[0];
    showToast({ title, description, tone: "danger", isSilent: !isAlone });
  }, [result, toast, isLater, isAlone]);
  if (!result || isAlone) return null;
  const { title, formError, fieldErrors = {}, conflict, isOutdated } = result;
  if (conflict) {
    return (
      <div data-conflict>
        <FocusedBox of={result} label="Conflict">
          <EditConflict differences={conflict.differences} />
        </FocusedBox>
      </div>
    );
  }
  const errors = Object.entries(fieldErrors).map(([name, message]) => ({
    field: name ? fieldId(name) : undefined,
    message,
  }));
  if (formError) errors.unshift({ field: undefined, message: formError });
  const summary = <ErrorSummary title={title} errors={errors} of={result} />;
  return isOutdated ? <div data-conflict>{summary}</div> : summary;
}

/** Takes the focus on mount and when `of` changes; a label makes it a group. */
export function FocusedBox(props: { of: unknown; label?: string; children: ReactNode }) {
  const { of, label, children } = props;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), [of]);
  return (
    <div
      ref={box}
      tabIndex={-1}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- without JavaScript the result is a new page: it begins here
      autoFocus
      role={label && "group"}
      aria-label={label}
      className="scroll-mt-20 rounded-card"
    >
      {children}
    </div>
  );
}

/** The form keeps its input and now sends the newest version, so saving again overwrites. */
function EditConflict({ differences }: { differences: Difference[] }) {
  return (
    <Notice tone="warn">
      <div className="grid gap-3">
        <p>
          Somebody else changed this while you were editing. Nothing of yours is lost: look at what
          differs, then save again to keep your version.
        </p>
        <ul className="grid gap-2">
          {differences.map(({ label, theirs, yours }) => (
            <li key={label}>
              <strong>{label}</strong>
              <dl className="grid grid-cols-[auto_1fr] gap-x-3">
                <dt>Now</dt>
                <dd className="wrap-anywhere whitespace-pre-line">{theirs || "empty"}</dd>
                <dt>Yours</dt>
                <dd className="wrap-anywhere whitespace-pre-line">{yours || "empty"}</dd>
              </dl>
            </li>
          ))}
        </ul>
      </div>
    </Notice>
  );
}
