import { type ChangeEvent, useState } from "react";
import { Form, useNavigation } from "react-router";
import {
  LOGO_MAX_BYTES,
  LOGO_TOO_LARGE,
  NAME_MAX,
  NO_IMAGE,
  WEBSITE_MAX,
} from "#app/features/partners/rules.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { Button } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { TextField } from "#app/ui/field.tsx";
import type { PartnerView } from "./actions.server.ts";

interface PartnerFormProps {
  /** Hidden fields: a version, or the id of a new partner. */
  hidden: Record<string, string | number>;
  values: PartnerView["values"];
  result: FormResult | undefined;
  submit: string;
}

/** A partner's facts, for a new one and for one that is edited. */
export function PartnerForm({ hidden, values, result, submit }: PartnerFormProps) {
  const isSaving = useNavigation().formData?.get("intent") === "save";
  const field = (name: keyof typeof values) => fieldProps(result, name, values[name]);
  return (
    <Form method="post" noValidate className="grid gap-4">
      <input type="hidden" name="intent" value="save" />
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <FormErrors result={result} />
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

type LogoFormProps = { partner: PartnerView; result: FormResult | undefined };

/** The logo, and another one in its place. */
export function LogoForm({ partner, result }: LogoFormProps) {
  const isSaving = useNavigation().formData?.get("intent") === "logo";
  const [problem, setProblem] = useState<string | null>(null);
  const check = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const found = target.files?.[0] ? problemOf(target.files[0]) : null;
    if (found) target.value = "";
    setProblem(found);
  };
  const wrongFile = { title: "This file cannot be used", fieldErrors: { logo: problem ?? "" } };
  return (
    <Form method="post" encType="multipart/form-data" noValidate className="grid gap-4">
      <input type="hidden" name="intent" value="logo" />
      <LogoTile partner={partner} className="h-24 w-48" />
      <FormErrors result={problem ? wrongFile : result} />
      <TextField
        // A file that was stored is no longer chosen.
        key={partner.logoUrl}
        id="logo"
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

type LogoTileProps = { partner: Pick<PartnerView, "name" | "logoUrl">; className?: string };

/** The logo as the front page shows it: on pale ground, at night too. */
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
