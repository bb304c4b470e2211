import { type ChangeEvent, useState } from "react";
import {
  LOGO_MAX_BYTES,
  LOGO_TOO_LARGE,
  NAME_MAX,
  NO_IMAGE,
  WEBSITE_MAX,
} from "#app/features/partners/rules.ts";
import { fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/routes/admin/intent-form.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { FileField, TextField } from "#app/ui/field.tsx";
import type { PartnerView } from "./actions.server.ts";

interface PartnerFormProps {
  /** The edited version, or the id of a new partner. */
  hidden?: { version: string | number };
  once?: Record<string, string>;
  values: PartnerView["values"];
  result: FormResult | undefined;
  submit: string;
}

export function PartnerForm({ hidden, once, values, result, submit }: PartnerFormProps) {
  const field = (name: keyof typeof values) => fieldProps(result, name, values[name]);
  return (
    <IntentForm intent="save" hidden={hidden} once={once} result={result}>
      <TextField
        {...field("name")}
        label="Name *"
        hint="Also the logo's alt text."
        maxLength={NAME_MAX}
        autoComplete="off"
        required
      />
      <TextField
        {...field("websiteUrl")}
        label="Website"
        hint="Such as https://partner.example. Leave it empty for a logo without a link."
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
      <SubmitButton variant="primary" size="lg">
        {submit}
      </SubmitButton>
    </IntentForm>
  );
}

type LogoFormProps = { partner: PartnerView; result: FormResult | undefined };

export function LogoForm({ partner, result }: LogoFormProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const check = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const found = target.files?.[0] ? problemOf(target.files[0]) : null;
    if (found) target.value = "";
    setProblem(found);
  };
  const shown = problem
    ? { title: "This file cannot be used", fieldErrors: { logo: problem } }
    : result;
  return (
    <IntentForm intent="logo" encType="multipart/form-data" result={shown}>
      <LogoTile partner={partner} className="h-24 w-48" />
      <FileField
        // Remounts after an upload, to clear the chosen file.
        key={partner.logoUrl}
        id="logo"
        name="logo"
        error={shown?.fieldErrors?.logo}
        label="Choose a logo"
        hint="PNG, JPG, SVG, WebP or GIF, at most 5 MB. Best on a transparent or white ground."
        accept="image/*"
        onChange={check}
      />
      <SubmitButton
        pendingLabel="Uploading…"
        className="justify-self-start max-md:justify-self-stretch"
      >
        Upload logo
      </SubmitButton>
    </IntentForm>
  );
}

function problemOf(file: File): string | null {
  if (!file.type.startsWith("image/")) return NO_IMAGE;
  return file.size > LOGO_MAX_BYTES ? LOGO_TOO_LARGE : null;
}

type LogoTileProps = { partner: Pick<PartnerView, "name" | "logoUrl">; className?: string };

/** On a light background in dark mode too, as on the front page. */
export function LogoTile({ partner: { name, logoUrl }, className = "h-14 w-28" }: LogoTileProps) {
  return (
    <div
      className={classNames(
        "grid shrink-0 place-items-center overflow-hidden rounded-card border border-line bg-chalk p-2 text-night",
        className,
      )}
    >
      {logoUrl ? (
        <img
          src={logoUrl}
          alt={name}
          width={96}
          height={40}
          loading="lazy"
          decoding="async"
          className="size-full object-contain"
        />
      ) : (
        <span className="text-center text-sm font-semibold">No logo</span>
      )}
    </div>
  );
}
