import { ErrorSummary } from "#app/ui/error-summary.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { Difference } from "#app/forms/form-result.ts";
import { EditConflict } from "#app/forms/edit-conflict.tsx";

interface FormRefusalProps {
  answer: {
    title: string;
    description?: string | undefined;
    errors?: Partial<Record<string, string>> | undefined;
    differences?: Difference[] | undefined;
  };
  /** The id of the field of that name. */
  fieldId: (name: string) => string;
}

/** Why a form was refused: a conflict, its fields, or the whole of it. */
export function FormRefusal({ answer, fieldId }: FormRefusalProps) {
  const { title, description, errors = {}, differences } = answer;
  if (differences) return <EditConflict differences={differences} />;
  const listed = Object.entries(errors).flatMap(([name, message]) =>
    message ? [{ field: fieldId(name), message }] : [],
  );
  if (listed.length > 0) return <ErrorSummary title={title} errors={listed} of={answer} />;
  return (
    <Notice tone="danger" title={title}>
      {description}
    </Notice>
  );
}
