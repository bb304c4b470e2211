import type { ComponentProps } from "react";
import { SelectField } from "#app/ui/field.tsx";

interface ChoiceFieldProps extends Omit<ComponentProps<typeof SelectField>, "children"> {
  choices: readonly (readonly [value: string, label: string])[];
  none?: string;
}

export function ChoiceField({ choices, none, ...field }: ChoiceFieldProps) {
  return (
    <SelectField {...field}>
      {none && <option value="">{none}</option>}
      {choices.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </SelectField>
  );
}

export function toVenueChoice({ id, name, city }: Record<"id" | "name" | "city", string>) {
  return [id, `${name}, ${city}`] as const;
}
