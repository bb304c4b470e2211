import {
  ADDRESS_MAX,
  CITIES,
  CITY_MAX,
  DESCRIPTION_MAX,
  LINK_MAX,
  NAME_MAX,
} from "#app/features/venues/rules.ts";
import { TextAreaField, TextField } from "#app/ui/field.tsx";
import type { VenueValues } from "./venue-form.ts";

interface VenueFieldsProps {
  values: VenueValues;
  errors?: Record<string, string> | undefined;
}

/** What an organiser says about a venue. */
export function VenueFields({ values, errors = {} }: VenueFieldsProps) {
  const field = (name: keyof VenueValues, max: number) => ({
    id: name,
    name,
    defaultValue: values[name],
    error: errors[name],
    maxLength: max,
    autoComplete: "off",
  });
  return (
    <>
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
          <option key={city}>{city}</option>
        ))}
      </datalist>
      <TextField {...field("address", ADDRESS_MAX)} label="Address" hint="Street and number." />
      <TextAreaField
        {...field("description", DESCRIPTION_MAX)}
        label="Description"
        hint="How to get in, what to wear, where to change."
        rows={6}
      />
      <TextField
        {...field("mapsUrl", LINK_MAX)}
        label="Map link"
        hint="Begins with https://; players see it as Directions."
        inputMode="url"
      />
      <TextField {...field("website", LINK_MAX)} label="Website" inputMode="url" />
    </>
  );
}
