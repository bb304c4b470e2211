import { OTHER_SPORT_MAX, SPORTS } from "#app/features/players/rules.ts";
import { Chip } from "#app/ui/chip.tsx";
import { TextField } from "#app/ui/field.tsx";
import type { ProfileValues } from "./profile-words.server.ts";

type SportsFieldsProps = { values: ProfileValues; error: string | undefined };

/** The sports to tick; the last one asks for its name. */
export function SportsFields({ values, error }: SportsFieldsProps) {
  return (
    <fieldset className="group grid gap-3">
      <legend className="mb-2 font-semibold">Sports interests</legend>
      <div className="flex flex-wrap gap-2">
        {SPORTS.map((sport) => (
          <Chip
            key={sport}
            name="sports"
            value={sport}
            defaultChecked={values.sports.includes(sport)}
          >
            {sport}
          </Chip>
        ))}
      </div>
      <TextField
        id="edit-otherSport"
        name="otherSport"
        label="Which other sport?"
        maxLength={OTHER_SPORT_MAX}
        defaultValue={values.otherSport}
        error={error}
        className="hidden group-has-[input[value=Other]:checked]:grid"
      />
    </fieldset>
  );
}
