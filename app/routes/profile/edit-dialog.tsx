import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useNavigation } from "react-router";
import type { Country } from "#app/features/players/countries.server.ts";
import type { ProfileValues } from "#app/features/players/input.ts";
import { OTHER_SPORT_MAX, POSITIONS, SPORTS } from "#app/features/players/rules.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { Button } from "#app/ui/button.tsx";
import { Chip } from "#app/ui/chip.tsx";
import { SelectField, TextField } from "#app/ui/field.tsx";
import type { NationalityChoice } from "./nationality-search.tsx";
import { useCloseWhenDone } from "#app/forms/use-close-when-done.ts";
import { PostForm } from "#app/forms/post-form.tsx";
import { DialogTrigger, Dialog } from "#app/ui/dialog.tsx";

type ProfileField = keyof ProfileValues;

const LABELS: ProfileValues = {
  firstName: "First Name *",
  lastName: "Last Name *",
  dateOfBirth: "Birthday *",
  position: "Position",
  nationalityCode: "Nationality",
  sports: "Sports interests",
  otherSport: "Which other sport?",
  isDownToPlay: "Down to play",
};
export const PROFILE_FIELDS = Object.keys(LABELS) as ProfileField[];

const DIALOG = "edit-profile";
const FORM = "edit-profile-form";

type EditDialogProps = {
  profile: { values: ProfileValues; countries: readonly Country[] };
  result: FormResult | undefined;
};

export function EditDialog({ profile, result }: EditDialogProps) {
  const [opening, setOpening] = useState(0);
  const isSaving = useNavigation().formData?.get("intent") === "edit-profile";
  useCloseWhenDone(DIALOG, ["edit-profile"], result !== undefined);
  const save = (
    <Button form={FORM} variant="primary" size="lg" wide pending={isSaving} pendingLabel="Saving…">
      Save changes
    </Button>
  );
  return (
    <>
      <DialogTrigger dialog={DIALOG}>Edit profile</DialogTrigger>
      <Dialog
        id={DIALOG}
        title="Edit profile"
        open={result}
        onClose={() => setOpening(opening + 1)}
        footer={save}
      >
        <div className="grid gap-4">
          <FormErrors result={result} />
          <EditForm key={opening} profile={profile} result={result} />
        </div>
      </Dialog>
    </>
  );
}

function EditForm({ profile, result }: EditDialogProps) {
  // Browsers do not send unticked checkboxes, so a failed form ignores the stored value.
  const values = result?.values ? null : profile.values;
  const field = (name: ProfileField) => ({
    ...fieldProps(result, name, values?.[name]),
    label: LABELS[name],
  });
  const ticked = field("sports").defaultValue.split("\n");
  return (
    <PostForm id={FORM} action="/profile" noValidate className="grid gap-4">
      <input type="hidden" name="intent" value="edit-profile" />
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
      <NationalityField {...field("nationalityCode")} countries={profile.countries} />
      <fieldset className="group grid gap-3">
        <legend className="mb-2 font-semibold">{LABELS.sports}</legend>
        <div className="flex flex-wrap gap-2">
          {SPORTS.map((sport) => (
            <Chip key={sport} name="sports" value={sport} defaultChecked={ticked.includes(sport)}>
              {sport}
            </Chip>
          ))}
        </div>
        <TextField
          {...field("otherSport")}
          maxLength={OTHER_SPORT_MAX}
          className="hidden group-has-[input[value=Other]:checked]:grid"
        />
      </fieldset>
      <label className="flex min-h-12 items-center gap-3 font-semibold">
        <input
          type="checkbox"
          name="isDownToPlay"
          value="1"
          defaultChecked={field("isDownToPlay").defaultValue !== ""}
          className="size-5"
        />
        {LABELS.isDownToPlay}
      </label>
    </PostForm>
  );
}

// Loaded when the dialog opens; if that fails, the select stays.
const NationalitySearch = lazy(() =>
  import("./nationality-search.tsx").catch(() => ({ default: NationalitySelect })),
);

type NationalityFieldProps = Omit<NationalityChoice, "code" | "onChoose"> & {
  defaultValue: string;
};

function NationalityField({ defaultValue, ...field }: NationalityFieldProps) {
  const [code, setCode] = useState(defaultValue);
  const { box, isSeen } = useSeen();
  const choice = { ...field, code, onChoose: setCode };
  const select = <NationalitySelect {...choice} />;
  return (
    <div ref={box}>
      {isSeen ? (
        <Suspense fallback={select}>
          <NationalitySearch {...choice} />
        </Suspense>
      ) : (
        select
      )}
    </div>
  );
}

function NationalitySelect({ countries, code, onChoose, ...field }: NationalityChoice) {
  return (
    <SelectField {...field} value={code} onChange={({ target }) => onChoose(target.value)}>
      <option value="">No nationality</option>
      {countries.map((country) => (
        <option key={country.code} value={country.code}>
          {country.name}
        </option>
      ))}
    </SelectField>
  );
}

/** Whether an element has become visible, as in a dialog that opens. */
function useSeen() {
  const box = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) setSeen(true);
    });
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return { box, isSeen };
}
