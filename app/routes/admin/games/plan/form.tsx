import { type ComponentProps, type ReactNode, useRef, useState } from "react";
import { Link } from "react-router";
import { EURO } from "#app/platform/money.ts";
import { GAME_PRICE_CENTS, LEVELS } from "#app/features/games/rules.ts";
import { endAfterMove } from "#app/features/games/time-slots.ts";
import { PLAYER_NOTES_MAX } from "#app/features/venues/rules.ts";
import { fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { ChoiceField } from "#app/routes/admin/choice-field.tsx";
import { Chip } from "#app/ui/chip.tsx";
import { TextAreaField, TextField } from "#app/ui/field.tsx";

interface PlanFieldsProps {
  values: Record<string, string>;
  result: FormResult | undefined;
  venues: ComponentProps<typeof ChoiceField>["choices"];
  venueHint?: ReactNode;
}

export function PlanFields({ values, result, venues, venueHint }: PlanFieldsProps) {
  const field = (name: string, label: string) => {
    return { ...fieldProps(result, name, values[name]), label, required: true };
  };
  return (
    <>
      <fieldset className={groupClass}>
        <legend className="sr-only">When and where</legend>
        <ChoiceField
          {...field("venueId", "Venue")}
          hint={venues.length === 0 ? <AddVenue /> : venueHint}
          none="Choose a venue"
          choices={venues}
          className="col-span-2"
        />
        <TextField {...field("date", "Date")} type="date" className="col-span-2" />
        <Times field={field} />
        <p className="col-span-2 -mt-2 text-sm text-muted">
          Helsinki time. An end before the start is past midnight.
        </p>
      </fieldset>
      <fieldset className={groupClass}>
        <legend className="sr-only">The game</legend>
        <TextField
          {...field("maxPlayers", "Max players")}
          type="number"
          inputMode="numeric"
          min={1}
          max={200}
        />
        <TextField {...field("gameFormat", "Format")} maxLength={20} />
        <MinimumFields field={field} />
        <TextField {...field("sport", "Sport")} list="sports" maxLength={40} />
        <datalist id="sports">
          {GAME_SPORTS.map((sport) => (
            <option key={sport} value={sport}>
              {sport}
            </option>
          ))}
        </datalist>
        <ChoiceField
          {...field("level", "Level")}
          required={false}
          none="Not stated"
          choices={LEVELS.map((level) => [level, level] as const)}
        />
        <PriceField field={field} />
        <Choices values={result?.values ?? values} />
      </fieldset>
      <fieldset className={groupClass}>
        <legend className="sr-only">Description</legend>
        <TextField {...field("title", "Title")} maxLength={120} className="col-span-2" />
        <TextAreaField
          {...field("description", "Description")}
          required={false}
          rows={3}
          maxLength={2_000}
          className="col-span-2"
        />
        <TextAreaField
          {...field("playerNotes", "Notes for players")}
          hint="How to find the pitch, the code of the gate, what to bring. Only players who are in see this."
          required={false}
          rows={3}
          maxLength={PLAYER_NOTES_MAX}
          className="col-span-2"
        />
      </fieldset>
    </>
  );
}

interface FieldsProps {
  field(name: string, label: string): ComponentProps<typeof TextField>;
}

/** A new start moves the end along, until the end itself is chosen. */
function Times({ field }: FieldsProps) {
  const [start, end] = [field("startTime", "Start"), field("endTime", "End")];
  const from = useRef(String(start.defaultValue));
  const isEndChosen = useRef(false);
  const moveEnd = ({ form, value: to }: HTMLInputElement) => {
    const input = form?.elements.namedItem("endTime");
    if (!to || !(input instanceof HTMLInputElement) || !input.value) return;
    if (!isEndChosen.current && from.current) {
      input.value = endAfterMove({ from: from.current, to, endTime: input.value });
    }
    from.current = to;
  };
  return (
    <>
      <TextField {...start} type="time" onInput={({ currentTarget }) => moveEnd(currentTarget)} />
      <TextField {...end} type="time" onInput={() => void (isEndChosen.current = true)} />
    </>
  );
}

/** Fewer players call the game off, at a time that moves with it. */
function MinimumFields({ field }: FieldsProps) {
  return (
    <>
      <TextField
        {...field("minPlayers", "Minimum players")}
        required={false}
        type="number"
        inputMode="numeric"
        min={1}
        max={200}
      />
      <TextField
        {...field("decidesHours", "Decided, hours before")}
        required={false}
        inputMode="decimal"
      />
      <p className="col-span-2 -mt-2 text-sm text-muted">
        With fewer players it is called off at that time, and everybody gets the full price back.
        Without a minimum it is always played.
      </p>
    </>
  );
}

const GAME_PRICE = GAME_PRICE_CENTS / 100;

/** Shown from the start if the stored price differs, and while it is typed. */
function PriceField({ field }: FieldsProps) {
  const price = field("priceEur", "Price shown in €");
  const [typed, setTyped] = useState(String(price.defaultValue));
  const differs = /\d/.test(typed) && Number(typed.replace(",", ".")) !== GAME_PRICE;
  return (
    <div className="col-span-2 grid gap-2">
      <TextField
        {...price}
        hint={`Shown on venue pages only. Players always pay ${GAME_PRICE} credits.`}
        inputMode="decimal"
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <div aria-live="polite">
        {differs && (
          <p className="rounded-card border border-warn/35 bg-warn-soft px-4 py-2 text-sm text-warn">
            {`Venue pages will show ${typed.trim()}${EURO}, but players pay ${GAME_PRICE} credits.`}
          </p>
        )}
      </div>
    </div>
  );
}

const groupClass =
  "grid grid-cols-2 items-start gap-4 large:grid-cols-[minmax(0,1fr)] large:*:col-span-1";
const GAME_SPORTS = ["Football", "Futsal", "Basketball", "Volleyball", "Floorball", "Badminton"];

function AddVenue() {
  return (
    <Link to="/admin/venues/new" className="link inline-flex min-h-11 items-center">
      Add a venue first
    </Link>
  );
}

function Choices({ values }: Pick<PlanFieldsProps, "values">) {
  return (
    <>
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
    </>
  );
}
