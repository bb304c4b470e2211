import { Link } from "react-router";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { FormKey } from "#app/forms/form-key.tsx";
import { Shown } from "#app/forms/shown.tsx";
import { useCloseWhenDone } from "#app/forms/use-close-when-done.ts";
import { fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { DialogClose } from "#app/ui/dialog.tsx";
import { SelectField } from "#app/ui/field.tsx";
import { Changes } from "#app/routes/waitlist/entry-parts.tsx";
import type { EntryView, TermsView } from "#app/routes/waitlist/view.server.ts";

type Terms = NonNullable<TermsView>;
interface WaitFormProps {
  terms: Terms;
  entry?: EntryView;
  price: string;
  result: FormResult | undefined;
}

/** Says what will be taken, when, and how to leave, before the player agrees. */
export default function WaitForm({ terms, entry, price, result }: WaitFormProps) {
  const { intent, submit, pendingLabel } = entry ? (entry.changed ? AGAIN : CHANGE) : JOIN;
  const { values } = result ?? {};
  useCloseWhenDone("waitlist", [CHANGE.intent], result !== undefined);
  return (
    <div className="group/wait">
      <div className={result && "mb-4"}>
        <FormErrors result={result} />
      </div>
      <Changes changes={entry?.changes} />
      <Headline modes={terms.modes} />
      <p className="mt-1 text-muted tabular-nums">
        {entry ? "You keep your place on the waitlist." : terms.position}
      </p>
      {terms.missing && (
        <p className="mt-1 text-muted">
          {terms.missing}{" "}
          <Link to="/wallet" className="link">
            Your wallet
          </Link>
        </p>
      )}
      <IntentForm intent={intent} preventScrollReset className="mt-4 grid gap-4">
        <FormKey />
        <input type="hidden" name="priceShown" value={price} />
        <Shown facts={terms.shown} />
        <Modes modes={terms.modes} chosen={values?.mode ?? entry?.mode ?? "auto"} />
        <SelectField
          {...fieldProps(result, "until", String(entry?.untilHours ?? terms.preset))}
          {...terms.until}
        >
          {terms.choices.map(({ hours, label }) => (
            <option key={hours} value={hours}>
              {label}
            </option>
          ))}
        </SelectField>
        <p className="text-sm text-muted">{terms.common}</p>
        <div className="flex flex-wrap justify-end gap-3 max-md:*:grow">
          <DialogClose dialog="waitlist">Not now</DialogClose>
          <SubmitButton variant="primary" pendingLabel={pendingLabel}>
            {submit}
          </SubmitButton>
        </div>
      </IntentForm>
    </div>
  );
}

const JOIN = { intent: "wait", submit: "Join waitlist", pendingLabel: "Joining…" };
const AGAIN = { intent: "wait", submit: "Stay on the waitlist", pendingLabel: "Saving…" };
const CHANGE = { intent: "change-wait", submit: "Save changes", pendingLabel: "Saving…" };

/** For the chosen mode, even without JavaScript. */
function Headline({ modes: { auto, ask } }: Pick<Terms, "modes">) {
  return (
    <p className="text-lg font-semibold">
      <span className="group-has-[[value=ask]:checked]/wait:hidden">{auto.headline}</span>
      <span className="hidden group-has-[[value=ask]:checked]/wait:inline">{ask.headline}</span>
    </p>
  );
}

const MODES = [
  ["auto", "Book it for me"],
  ["ask", "Ask me first"],
] as const;

function Modes({ modes, chosen }: Pick<Terms, "modes"> & { chosen: string }) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-semibold">When a spot opens</legend>
      {MODES.map(([mode, label]) => (
        <label
          key={mode}
          className="grid min-h-11 grid-cols-[auto_1fr] items-center gap-x-3 rounded-card border border-edge px-3 py-2 font-semibold hover:border-ink has-checked:border-ink has-checked:bg-sunken"
        >
          <input
            type="radio"
            name="mode"
            value={mode}
            defaultChecked={mode === chosen}
            className="row-span-2 size-5 accent-ink"
          />
          {label}
          <span className="text-sm font-normal text-muted">{modes[mode].detail}</span>
        </label>
      ))}
    </fieldset>
  );
}
