import { useNavigation } from "react-router";
import { CONTENT_MAX, TITLE_MAX } from "#app/features/legal/rules.ts";
import { FocusedBox, FormErrors } from "#app/forms/form-errors.tsx";
import { editedVersion, fieldProps } from "#app/forms/form-result.ts";
import { PostForm } from "#app/forms/post-form.tsx";
import { LegalText } from "#app/features/legal/legal-text.tsx";
import { Button } from "#app/ui/button.tsx";
import { TextAreaField, TextField } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { LegalResult } from "./actions.server.ts";

export const LOAD_FAILED = "Failed to load legal pages";
export const LEGAL = { to: "/admin/legal", label: "Legal Pages" };

interface LegalFormProps {
  editor: { type: string; title: string; content: string; version: number };
  result: LegalResult | undefined;
}

export function LegalForm({ editor, result }: LegalFormProps) {
  const pending = useNavigation().formData?.get("intent");
  const { type, title, content, version } = editor;
  return (
    // Drops the query that opened a previous version.
    <PostForm action={`/admin/legal/${type}`} noValidate preventScrollReset className="grid gap-4">
      <input type="hidden" name="version" value={editedVersion(result, version)} />
      <FormErrors result={result} />
      <TextField
        {...fieldProps(result, "title", title)}
        label="Title *"
        maxLength={TITLE_MAX}
        autoComplete="off"
        required
      />
      <TextAreaField
        {...fieldProps(result, "content", content)}
        label="Content *"
        hint="Plain text. Line breaks stay as you write them."
        rows={20}
        maxLength={CONTENT_MAX}
        required
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
    </PostForm>
  );
}

export function LegalPreview({ preview }: { preview: NonNullable<LegalResult["preview"]> }) {
  const { title, content, warning } = preview;
  return (
    <FocusedBox of={content} label="Preview">
      <div className="grid gap-4 rounded-card border border-edge bg-canvas p-4 md:p-6">
        <Notice tone="info">This is how the page will look. It is not saved yet.</Notice>
        {warning && <Notice tone="warn">{warning}</Notice>}
        <div className="mx-auto grid w-full max-w-2xl gap-6">
          <LegalText title={title} content={content} heading="h3" />
        </div>
      </div>
    </FocusedBox>
  );
}
