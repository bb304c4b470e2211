import { Form } from "react-router";
import { POSITIONS } from "#app/features/players/rules.ts";
import { ErrorSummary } from "#app/ui/error-summary.tsx";
import { SelectField, TextField } from "#app/ui/field.tsx";
import type { ProfileAnswer } from "./answers.server.ts";
import { NationalityField } from "./nationality-field.tsx";
import type { ProfilePage } from "./profile-page.server.ts";
import type { ProfileValues } from "./profile-words.server.ts";
import { SportsFields } from "./sports-fields.tsx";

type EditFormProps = {
  id: string;
  countries: ProfilePage["countries"];
  values: ProfileValues;
  refused: ProfileAnswer | undefined;
};

export function EditForm({ id, countries, values, refused }: EditFormProps) {
  const errors = refused?.errors ?? {};
  const field = (name: keyof ProfileValues & keyof typeof LABELS) => ({
    id: `edit-${name}`,
    name,
    label: LABELS[name],
    defaultValue: values[name],
    error: errors[name],
  });
  return (
    <Form id={id} method="post" action="/profile" noValidate className="grid gap-4">
      <input type="hidden" name="intent" value="edit-profile" />
      {refused && (
        <ErrorSummary
          title={refused.title}
          errors={listed(errors, refused.description)}
          of={refused}
        />
      )}
      <div className="grid items-start gap-4 md:grid-cols-2">
        <TextField {...field("firstName")} required autoComplete="given-name" />
        <TextField {...field("lastName")} required autoComplete="family-name" />
      </div>
      <TextField {...field("dateOfBirth")} type="date" required autoComplete="bday" />
      <SelectField {...field("position")}>
        <option value="">No position</option>
        {Object.entries(POSITIONS).map(([key, name]) => (
          <option key={key} value={key}>
            {key} – {name}
          </option>
        ))}
      </SelectField>
      <NationalityField {...field("nationalityCode")} countries={countries} />
      <SportsFields values={values} error={errors.otherSport} />
      <label className="flex min-h-12 items-center gap-3 font-semibold">
        <input
          type="checkbox"
          name="isDownToPlay"
          value="1"
          defaultChecked={values.isDownToPlay}
          className="size-5"
        />
        Down to play
      </label>
    </Form>
  );
}

const LABELS = {
  firstName: "First Name *",
  lastName: "Last Name *",
  dateOfBirth: "Birthday *",
  position: "Position",
  nationalityCode: "Nationality",
};

/** The messages of the fields; where none is to blame, what happened instead. */
function listed(errors: Record<string, string>, otherwise = "Nothing was changed.") {
  const found = Object.entries(errors).map(([name, message]) => ({
    field: `edit-${name}`,
    message,
  }));
  return found.length > 0 ? found : [{ message: otherwise }];
}
