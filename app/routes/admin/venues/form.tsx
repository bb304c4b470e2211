import {
  ADDRESS_MAX,
  CITIES,
  CITY_MAX,
  DESCRIPTION_MAX,
  LINK_MAX,
  NAME_MAX,
  PLAYER_NOTES_MAX,
} from "#app/features/venues/rules.ts";
import { fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/routes/admin/intent-form.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { TextAreaField, TextField } from "#app/ui/field.tsx";
import type { VenueValues } from "./actions.server.ts";

interface VenueFormProps {
  /** The edited version, or the id of a new venue. */
  hidden?: { version: string | number };
  once?: Record<string, string>;
  values?: VenueValues;
  result: FormResult | undefined;
  submit: string;
  secondary: { to: string; label: string };
}

export function VenueForm({ hidden, once, values, result, submit, secondary }: VenueFormProps) {
  const field = (name: keyof VenueValues, maxLength: number) => ({
    ...fieldProps(result, name, values?.[name]),
    ...{ maxLength, autoComplete: "off" },
  });
  return (
    <IntentForm
      intent="save"
      hidden={hidden}
      once={once}
      result={result}
      className="grid max-w-2xl gap-4"
    >
      <TextField {...field("name", NAME_MAX)} label="Name *" required />
      <TextField
        {...field("city", CITY_MAX)}
        label="City *"
        hint="Helsinki, Espoo, Vantaa or another."
        list="cities"
        required
      />
      <datalist id="cities">
        {CITIES.map((city) => (
          <option key={city} value={city}>
            {city}
          </option>
        ))}
      </datalist>
      <TextField {...field("address", ADDRESS_MAX)} label="Address" hint="Street and number." />
      <TextAreaField {...field("description", DESCRIPTION_MAX)} label="Description" rows={6} />
      <TextAreaField
        {...field("playerNotes", PLAYER_NOTES_MAX)}
        label="Notes for players"
        hint="How to get in, where to change, the code of the gate. Only players of a game here see this."
        rows={4}
      />
      <TextField
        {...field("mapsUrl", LINK_MAX)}
        label="Map link"
        hint="Such as https://maps.example/hall. Players see it as Directions."
        inputMode="url"
      />
      <TextField {...field("website", LINK_MAX)} label="Website" inputMode="url" />
      <div className="flex flex-wrap gap-3">
        <SubmitButton variant="primary">{submit}</SubmitButton>
        <ButtonLink to={secondary.to} variant="quiet">
          {secondary.label}
        </ButtonLink>
      </div>
    </IntentForm>
  );
}
