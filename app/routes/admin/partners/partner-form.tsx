import { Form, useNavigation } from "react-router";
import { NAME_MAX, WEBSITE_MAX } from "../../../features/partners/rules.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorSummary } from "../../../ui/error-summary.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { EditConflict } from "../edit-conflict.tsx";
import type { PartnerAnswer } from "./answers.server.ts";
import type { PartnerValues } from "./partner-words.ts";

interface PartnerFormProps {
  values: PartnerValues;
  /** Of the partner that is edited. */
  version?: number;
  answer: PartnerAnswer | null | undefined;
  /** What the button says. */
  submit: string;
}

/** A partner's facts, for a new one and for one that is edited. */
export function PartnerForm({ values, version, answer, submit }: PartnerFormProps) {
  const isSaving = useNavigation().formData?.get("intent") === "save";
  const typed = answer?.values ?? values;
  const field = (name: keyof PartnerValues) => ({
    ...{ id: `partner-${name}`, name, defaultValue: typed[name], error: answer?.errors?.[name] },
  });
  return (
    <Form method="post" noValidate className="grid gap-4">
      <input type="hidden" name="intent" value="save" />
      {version && <input type="hidden" name="version" value={answer?.version ?? version} />}
      <Problem answer={answer} />
      <TextField
        {...field("name")}
        label="Name *"
        hint="Read aloud in place of the logo."
        maxLength={NAME_MAX}
        autoComplete="off"
        required
      />
      <TextField
        {...field("websiteUrl")}
        label="Website"
        hint="Begins with https://. Leave it empty for a logo without a link."
        type="url"
        inputMode="url"
        maxLength={WEBSITE_MAX}
        autoComplete="off"
      />
      <TextField
        {...field("sortOrder")}
        label="Sort order"
        hint="Smallest first."
        inputMode="numeric"
        autoComplete="off"
        className="max-w-40"
      />
      <Button variant="primary" size="lg" pending={isSaving} pendingLabel="Saving…">
        {submit}
      </Button>
    </Form>
  );
}

/** Why the form was refused: a conflict, its fields, or the whole of it. */
function Problem({ answer }: { answer: PartnerFormProps["answer"] }) {
  if (!answer) return null;
  if (answer.differences) return <EditConflict differences={answer.differences} />;
  const errors = Object.entries(answer.errors ?? {});
  if (errors.length === 0) {
    return (
      <Notice tone="danger" title={answer.title}>
        {answer.description}
      </Notice>
    );
  }
  const listed = errors.map(([name, message]) => ({ field: `partner-${name}`, message }));
  return <ErrorSummary title={answer.title} errors={listed} of={answer} />;
}
