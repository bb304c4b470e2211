import { type ChangeEvent, useState } from "react";
import { Form, useNavigation } from "react-router";
import { LOGO_MAX_BYTES, LOGO_TOO_LARGE, NO_IMAGE } from "#app/features/partners/rules.ts";
import { Button } from "#app/ui/button.tsx";
import { ErrorSummary } from "#app/ui/error-summary.tsx";
import { TextField } from "#app/ui/field.tsx";
import type { PartnerAnswer } from "./answers.server.ts";
import { LogoTile } from "./logo-tile.tsx";
import type { PartnerWords } from "./partner-words.ts";

type LogoFormProps = { partner: PartnerWords; answer: PartnerAnswer | undefined };

/** The logo, and another one in its place. */
export function LogoForm({ partner, answer }: LogoFormProps) {
  const isSaving = useNavigation().formData?.get("intent") === "logo";
  const [problem, setProblem] = useState<string | null>(null);
  const check = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const found = target.files?.[0] ? problemOf(target.files[0]) : null;
    if (found) target.value = "";
    setProblem(found);
  };
  const message = problem ?? answer?.errors?.logo ?? answer?.description;
  return (
    <Form method="post" encType="multipart/form-data" noValidate className="grid gap-4">
      <input type="hidden" name="intent" value="logo" />
      <LogoTile partner={partner} className="h-24 w-48" />
      {message && (
        <ErrorSummary
          title={problem ? "This file cannot be used" : answer?.title}
          errors={[{ field: "partner-logo", message }]}
          of={answer}
        />
      )}
      <TextField
        // A file that was stored is no longer chosen.
        key={partner.logoUrl}
        id="partner-logo"
        name="logo"
        type="file"
        label="Choose a logo"
        hint="PNG, JPG, SVG, WebP or GIF, at most 5 MB. Best on a transparent or white ground."
        accept="image/*"
        onChange={check}
        className={fileClass}
      />
      <Button
        pending={isSaving}
        pendingLabel="Uploading…"
        className="justify-self-start max-md:justify-self-stretch"
      >
        Upload logo
      </Button>
    </Form>
  );
}

const fileClass =
  "[&_::file-selector-button]:mr-3 [&_::file-selector-button]:font-semibold [&_::file-selector-button]:underline";

function problemOf(file: File): string | null {
  if (!file.type.startsWith("image/")) return NO_IMAGE;
  return file.size > LOGO_MAX_BYTES ? LOGO_TOO_LARGE : null;
}
