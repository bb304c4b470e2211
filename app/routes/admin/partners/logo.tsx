import { type ChangeEvent, useState } from "react";
import { LOGO_MAX_BYTES, LOGO_TOO_LARGE, NO_IMAGE } from "#app/features/partners/rules.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { FileField } from "#app/ui/field.tsx";

type Logo = { name: string; logoUrl: string | null };
type LogoFormProps = { partner: Logo; result: FormResult | undefined };

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

type LogoTileProps = { partner: Logo; className?: string };

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
