import { Link } from "react-router";
import { fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { Chip } from "#app/ui/chip.tsx";
import { SelectField, TextAreaField, TextField } from "#app/ui/field.tsx";

interface PlanFieldsProps {
  values: Record<string, string>;
  result: FormResult | undefined;
  venues: { id: string; name: string }[];
}

/** The fields of a game, in the order in which an admin thinks of them. */
export function PlanFields(props: PlanFieldsProps) {
  return (
    <>
      <WhenAndWhere {...props} />
      <Shape {...props} />
      <Description {...props} />
    </>
  );
}

function WhenAndWhere({ values, result, venues }: PlanFieldsProps) {
  const field = fieldOf(values, result);
  return (
    <fieldset className={groupClass}>
      <legend className="sr-only">When and where</legend>
      <SelectField
        label="Venue"
        required
        className="col-span-2"
        hint={venues.length === 0 && <AddVenue />}
        {...field("venueId")}
      >
        <option value="">Choose a venue</option>
        {venues.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField label="Date" type="date" required className="col-span-2" {...field("date")} />
      <TextField label="Start" type="time" required {...field("startTime")} />
      <TextField label="End" type="time" required {...field("endTime")} />
      <p className="col-span-2 -mt-2 text-sm text-muted">
        Helsinki time. An end before the start is past midnight.
      </p>
    </fieldset>
  );
}

function AddVenue() {
  return (
    <Link to="/admin/venues/new" className="link inline-flex min-h-11 items-center">
      Add a venue first
    </Link>
  );
}

function Shape({ values: stored, result }: PlanFieldsProps) {
  const field = fieldOf(stored, result);
  const values = result?.values ?? stored;
  return (
    <fieldset className={groupClass}>
      <legend className="sr-only">The game</legend>
      <TextField
        label="Max players"
        type="number"
        inputMode="numeric"
        min={1}
        max={200}
        required
        {...field("maxPlayers")}
      />
      <TextField label="Format" maxLength={20} required {...field("gameFormat")} />
      <TextField label="Sport" list="sports" maxLength={40} required {...field("sport")} />
      <datalist id="sports">
        {SPORTS.map((sport) => (
          <option key={sport}>{sport}</option>
        ))}
      </datalist>
      <TextField label="Price shown in €" inputMode="decimal" required {...field("priceEur")} />
      <div
        id="surroundings"
        tabIndex={-1}
        role="radiogroup"
        aria-label="Surroundings"
        className="col-span-2 flex gap-3"
      >
        {["Indoor", "Outdoor"].map((label) => (
          <Chip
            key={label}
            type="radio"
            name="surroundings"
            value={label.toLowerCase()}
            defaultChecked={(values.surroundings ?? "indoor") === label.toLowerCase()}
          >
            {label}
          </Chip>
        ))}
      </div>
      <div className="col-span-2">
        <Chip
          name="isFirstSessionFree"
          value="on"
          defaultChecked={Boolean(values.isFirstSessionFree)}
        >
          First session free
        </Chip>
      </div>
    </fieldset>
  );
}

function Description({ values, result }: PlanFieldsProps) {
  const field = fieldOf(values, result);
  return (
    <fieldset className={groupClass}>
      <legend className="sr-only">Description</legend>
      <TextField
        label="Title"
        maxLength={120}
        required
        className="col-span-2"
        {...field("title")}
      />
      <TextAreaField
        label="Description"
        rows={3}
        maxLength={2_000}
        className="col-span-2"
        {...field("description")}
      />
    </fieldset>
  );
}

function fieldOf(values: PlanFieldsProps["values"], result: PlanFieldsProps["result"]) {
  return (name: string) => fieldProps(result, name, values[name]);
}

const SPORTS = ["Football", "Futsal", "Basketball", "Volleyball", "Floorball", "Badminton"];

const groupClass = "grid grid-cols-2 items-start gap-4";
