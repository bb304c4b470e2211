import { Form, useNavigation } from "react-router";
import { CONTENT_MAX, TITLE_MAX } from "#app/features/legal/rules.ts";
import { Button } from "#app/ui/button.tsx";
import { ErrorSummary } from "#app/ui/error-summary.tsx";
import { TextAreaField, TextField } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { EditConflict } from "#app/forms/edit-conflict.tsx";
import type { LegalAnswer } from "./answers.server.ts";
import type { Editor } from "./editor.server.ts";
import { legalPath } from "./legal-words.ts";

type LegalFormProps = { editor: Editor; answer: LegalAnswer | undefined };

/** Title and content of a legal text, to be looked at and stored. */
export function LegalForm({ editor, answer }: LegalFormProps) {
  const pending = useNavigation().formData?.get("intent");
  const { title, content } = answer?.values ?? editor;
  return (
    <Form
      method="post"
      action={legalPath(editor.type)}
      noValidate
      preventScrollReset
      className="grid gap-4"
    >
      <input type="hidden" name="version" value={answer?.version || editor.version} />
      <Problem answer={answer} />
      <TextField
        id="legal-title"
        name="title"
        label="Title *"
        maxLength={TITLE_MAX}
        autoComplete="off"
        required
        defaultValue={title}
        error={answer?.errors?.title}
      />
      <TextAreaField
        id="legal-content"
        name="content"
        label="Content *"
        hint="Plain text. Line breaks stay as you write them."
        rows={20}
        maxLength={CONTENT_MAX}
        required
        defaultValue={content}
        error={answer?.errors?.content}
      />
      {/* The first one is what Enter presses: it stores nothing. */}
      <div className="flex flex-wrap gap-3">
        <Button
          name="intent"
          value="preview"
          size="lg"
          pending={pending === "preview"}
          pendingLabel="Loading…"
          className="max-md:grow"
        >
          Preview
        </Button>
        <Button
          name="intent"
          value="save"
          variant="primary"
          size="lg"
          pending={pending === "save"}
          pendingLabel="Saving…"
          className="max-md:grow"
        >
          Save
        </Button>
      </div>
    </Form>
  );
}

/** Why nothing was stored: a failure, a conflict, or a field. */
function Problem({ answer }: { answer: LegalAnswer | undefined }) {
  if (!answer) return null;
  const { failure, differences, errors = {} } = answer;
  if (failure) {
    return (
      <Notice tone="danger" title={failure.title}>
        {failure.description}
      </Notice>
    );
  }
  if (differences) return <EditConflict differences={differences} />;
  const listed = Object.entries(errors).map(([name, message]) => ({
    ...{ field: `legal-${name}`, message },
  }));
  return <ErrorSummary errors={listed} of={answer} />;
}
