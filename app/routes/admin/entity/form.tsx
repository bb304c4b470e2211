import type { ReactNode } from "react";
import { editedVersion, fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { ChoiceField } from "#app/routes/admin/choice-field.tsx";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { TextAreaField, TextField } from "#app/ui/field.tsx";
import type { FormView } from "./form-view.server.ts";

interface EntityFormProps {
  form: FormView;
  result: FormResult | undefined;
  submit: string;
  className?: string;
  children?: ReactNode;
  secondary?: ReactNode;
}

/** The form of a small table's row, stored or new, as its declaration says. */
export function EntityForm({
  form,
  result,
  submit,
  className,
  children,
  secondary,
}: EntityFormProps) {
  const { fields, values, version, once } = form;
  return (
    <IntentForm
      intent="save"
      hidden={version === undefined ? {} : { version: editedVersion(result, version) }}
      once={once}
      result={result}
      className={className ?? "grid gap-4"}
    >
      {fields.map((field) => (
        <EntityField key={field.name} field={field} value={values[field.name]} result={result} />
      ))}
      {children}
      {secondary ? (
        <div className="flex flex-wrap gap-3">
          <SubmitButton variant="primary">{submit}</SubmitButton>
          {secondary}
        </div>
      ) : (
        <SubmitButton variant="primary" size="lg">
          {submit}
        </SubmitButton>
      )}
    </IntentForm>
  );
}

type EntityFieldProps = {
  field: FormView["fields"][number];
  value: string | undefined;
  result: FormResult | undefined;
};

function EntityField({ field, value, result }: EntityFieldProps) {
  const { name, label, formLabel = label, hint, isRequired: required, isTick, ...input } = field;
  const { rows, choices, suggestions, maxLength, className } = input;
  if (isTick) {
    // Browsers do not send unticked boxes.
    const isTicked = Boolean((result?.values ?? { [name]: value })[name]);
    return <Tick {...{ name, label: formLabel, hint, isTicked }} />;
  }
  const known = {
    ...{ ...fieldProps(result, name, value), label: required ? `${formLabel} *` : formLabel },
    ...{ hint, required, maxLength, className, autoComplete: "off" },
  };
  if (rows) return <TextAreaField {...known} rows={rows} />;
  if (choices) return <ChoiceField {...known} choices={choices.map((text) => [text, text])} />;
  const list = suggestions && `${name}-suggestions`;
  return (
    <>
      <TextField {...known} type={input.type} inputMode={input.inputMode} list={list} />
      {suggestions && (
        <datalist id={list}>
          {suggestions.map((text) => (
            <option key={text} value={text}>
              {text}
            </option>
          ))}
        </datalist>
      )}
    </>
  );
}

type TickProps = { name: string; label: string; hint: string | undefined; isTicked: boolean };

function Tick({ name, label, hint, isTicked }: TickProps) {
  return (
    <>
      <label className="flex min-h-11 items-center gap-3 font-semibold">
        <input type="checkbox" name={name} value="1" defaultChecked={isTicked} className="size-5" />
        {label}
      </label>
      {hint && <p className="-mt-3 text-sm text-muted">{hint}</p>}
    </>
  );
}
