import { Form, useNavigation } from "react-router";
import { type AdminGameFilter, FILTER_STATUSES } from "#app/features/games/filters.ts";
import { Button } from "#app/ui/button.tsx";
import { SelectField } from "#app/ui/field.tsx";

interface ListFilterProps {
  filter: AdminGameFilter;
  venues: { id: string; name: string }[];
  cities: string[];
}

/** Which games are listed; the address keeps it. */
export function ListFilter({ filter, venues, cities }: ListFilterProps) {
  const { location, formMethod } = useNavigation();
  const isPending = location?.pathname === "/admin/games" && formMethod === "GET";
  return (
    <Form
      method="get"
      // A filter that was left by the back button must not stand over another list.
      key={JSON.stringify(filter)}
      className="grid grid-cols-2 gap-3 md:grid-cols-[1fr_1fr_1.5fr_1fr_auto] md:items-end"
    >
      <SelectField label="When" name="when" defaultValue={filter.when}>
        <option value="to-come">To come</option>
        <option value="past">Past</option>
        <option value="all">All</option>
      </SelectField>
      <SelectField label="Status" name="status" defaultValue={filter.status ?? ""}>
        <option value="">Any</option>
        {FILTER_STATUSES.map((status) => (
          <option key={status}>{status}</option>
        ))}
      </SelectField>
      <SelectField label="Venue" name="venue" defaultValue={filter.venueId ?? ""}>
        <option value="">Any</option>
        {venues.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField label="City" name="city" defaultValue={filter.city ?? ""}>
        <option value="">Any</option>
        {cities.map((city) => (
          <option key={city}>{city}</option>
        ))}
      </SelectField>
      <Button pending={isPending} pendingLabel="Showing…" className="min-h-12 max-md:col-span-2">
        Show
      </Button>
    </Form>
  );
}
