import { type ChangeEvent, useState } from "react";
import { Form, useNavigation } from "react-router";
import { PHOTOS_AT_ONCE_BYTES, PHOTOS_MAX } from "#app/features/venues/rules.ts";
import { Button } from "#app/ui/button.tsx";
import { ErrorSummary } from "#app/ui/error-summary.tsx";
import { TextField } from "#app/ui/field.tsx";
import type { UploadAnswer } from "./photo-answers.server.ts";

const TOO_MUCH = "These photos are larger than 60 MB together. Please add them in several turns.";

/** Several photos at once; each is named that cannot be used. */
export function UploadForm({ count, answer }: { count: number; answer: UploadAnswer | undefined }) {
  const [isTooMuch, setIsTooMuch] = useState(false);
  const isSending = useNavigation().formData?.get("intent") === "add-photos";
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const bytes = [...(target.files ?? [])].reduce((sum, { size }) => sum + size, 0);
    setIsTooMuch(bytes > PHOTOS_AT_ONCE_BYTES);
    if (bytes > PHOTOS_AT_ONCE_BYTES) target.value = "";
  };
  const problems = isTooMuch ? [TOO_MUCH] : (answer?.problems ?? []);
  return (
    <Form
      method="post"
      encType="multipart/form-data"
      preventScrollReset
      noValidate
      className="grid gap-4 rounded-card bg-surface p-4 shadow-card"
    >
      <input type="hidden" name="intent" value="add-photos" />
      <ErrorSummary
        title={isTooMuch ? "No photo was added" : answer?.title}
        errors={[...new Set(problems)].map((message) => ({ field: "new-photos", message }))}
        of={isTooMuch || answer}
      />
      {count < PHOTOS_MAX ? (
        <>
          <TextField
            id="new-photos"
            name="photos"
            type="file"
            multiple
            label="Choose photos"
            hint={`JPG or PNG, each at most 10 MB and together 60 MB; ${count} of ${PHOTOS_MAX} so far. Pages show the middle, 16:9. Where they were taken is not kept.`}
            accept="image/jpeg,image/png"
            onChange={choose}
            className={fileClass}
          />
          <Button
            variant="primary"
            className="justify-self-start"
            pending={isSending}
            pendingLabel="Uploading…"
          >
            Add photos
          </Button>
        </>
      ) : (
        <p>A venue has at most {PHOTOS_MAX} photos. Remove one to add another.</p>
      )}
    </Form>
  );
}

const fileClass =
  "[&_::file-selector-button]:mr-3 [&_::file-selector-button]:font-semibold [&_::file-selector-button]:underline";
