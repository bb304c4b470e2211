import { Form, useNavigation } from "react-router";
import { NAME_MAX, WEBSITE_MAX } from "#app/features/partners/rules.ts";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/field.tsx";
import { FormRefusal } from "#app/routes/admin/form-refusal.tsx";
import type { PartnerAnswer } from "./answers.server.ts";
import type { PartnerValues } from "./partner-words.ts";

interface PartnerFormProps {
  /** What the form carries unseen: a version, or the id of a new partner. */
  hidden: Record<string, string | number>;
  values: PartnerValues;
  answer: PartnerAnswer | null | undefined;
  /** What the button says. */
  submit: string;
}

/** A partner's facts, for a new one and for one that is edited. */
export function PartnerForm({ hidden, values, answer, submit }: PartnerFormProps) {
  const isSaving = useNavigation().formData?.get("intent") === "save";
  const typed = answer?.values ?? values;
  const field = (name: keyof PartnerValues) => ({
    ...{ id: `partner-${name}`, name, defaultValue: typed[name], error: answer?.errors?.[name] },
  });
  return (
    <Form method="post" noValidate className="grid gap-4">
      <input type="hidden" name="intent" value="save" />
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {answer && <FormRefusal answer={answer} fieldId={(name) => `partner-${name}`} />}
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
