import { Form, useNavigation } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { SelectField } from "#app/ui/field.tsx";
import { type Filter, PERIODS } from "./question.ts";

interface OverviewFilterProps {
  filter: Filter;
  venues: { id: string; name: string }[];
}

/** Which weeks and which venue are counted; the address keeps it. */
export function OverviewFilter({ filter, venues }: OverviewFilterProps) {
  const { location, formMethod } = useNavigation();
  const isPending = location?.pathname === "/admin" && formMethod === "GET";
  return (
    <Form
      method="get"
      action="/admin"
      // A filter that was left by the back button must not stand over other figures.
      key={JSON.stringify(filter)}
      className="grid grid-cols-2 gap-3 md:grid-cols-[12rem_1fr_auto] md:items-end"
    >
      <SelectField label="Period" name="weeks" defaultValue={filter.weeks}>
        {PERIODS.map((weeks) => (
          <option key={weeks} value={weeks}>
            Last {weeks} weeks
          </option>
        ))}
      </SelectField>
      <SelectField label="Venue" name="venue" defaultValue={filter.venueId ?? ""}>
        <option value="">All venues</option>
        {venues.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <Button pending={isPending} pendingLabel="Counting…" className="min-h-12 max-md:col-span-2">
        Show
      </Button>
    </Form>
  );
}
