import { useNavigation } from "react-router";
import { CONTENT_MAX, TITLE_MAX } from "#app/features/legal/rules.ts";
import { FocusedBox, FormErrors } from "#app/forms/form-errors.tsx";
import { editedVersion, fieldProps, resultOf } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { PostForm } from "#app/forms/post-form.tsx";
import { LegalText } from "#app/features/legal/legal-text.tsx";
import { Panel } from "#app/routes/admin/page.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { TextAreaField, TextField } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { LegalResult } from "./actions.server.ts";

export const LOAD_FAILED = "Failed to load legal pages";
export const LEGAL = { to: "/admin/legal", label: "Legal Pages" };

interface LegalFormProps {
  editor: Record<"type" | "title" | "content" | "holdsFrom", string> &
    Record<"version" | "comingVersion", number>;
  result: LegalResult | undefined;
}

export function LegalForm({ editor, result }: LegalFormProps) {
  const pending = useNavigation().formData?.get("intent");
  const { type, title, content, version, holdsFrom, comingVersion } = editor;
  return (
    // Drops the query that opened a previous version.
    <PostForm action={`/admin/legal/${type}`} noValidate preventScrollReset className="grid gap-4">
      <input type="hidden" name="version" value={editedVersion(result, version)} />
      <input type="hidden" name="comingVersion" value={comingVersion} />
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
      <TextField
        {...fieldProps(result, "holdsFrom", holdsFrom)}
        type="date"
        label="Holds from"
        hint="Empty: at once. With a day, the page shows both texts until then. The terms promise players an email at least 30 days before, the privacy text one before."
        className="md:max-w-80"
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

interface ComingTextProps {
  editor: {
    type: string;
    coming: { title: string; from: string; saved: string } | null;
    comingVersion: number;
  };
  result: LegalResult | undefined;
}

/** What is to hold from a day on, and the email that tells everybody of it. */
export function ComingText({ editor, result }: ComingTextProps) {
  const { type, coming, comingVersion } = editor;
  if (!coming) return null;
  const { title, from, saved } = coming;
  return (
    <Panel
      title={`From ${from}: ${title}`}
      about={`${saved}. Both texts are on the page until then.`}
    >
      <div className="flex flex-wrap items-start gap-3">
        <ButtonLink to={`/admin/players/announcements/new?legal=${type}`} variant="primary">
          Tell everybody
        </ButtonLink>
        <ButtonLink to={`/admin/legal/${type}?from=coming`}>Open in the editor</ButtonLink>
        <IntentForm
          intent="withdraw"
          action={`/admin/legal/${type}`}
          hidden={{ comingVersion }}
          result={resultOf(result, "withdraw")}
        >
          <SubmitButton variant="quiet" pendingLabel="Withdrawing…">
            Withdraw it
          </SubmitButton>
        </IntentForm>
      </div>
    </Panel>
  );
}
