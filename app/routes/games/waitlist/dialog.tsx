import type { SyntheticEvent } from "react";
import { Link } from "react-router";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { FormKey } from "#app/forms/form-key.tsx";
import { Shown } from "#app/forms/shown.tsx";
import { useCloseWhenDone } from "#app/forms/use-close-when-done.ts";
import { fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { DialogClose, DialogTrigger } from "#app/ui/dialog.tsx";
import { waitingUntil } from "#app/features/waitlist/rules.ts";
import { SelectField } from "#app/ui/field.tsx";
import { Changes, leaveDialog } from "#app/routes/waitlist/entry-parts.tsx";
import type { EntryView, TermsView } from "#app/routes/waitlist/view.server.ts";

type Terms = NonNullable<TermsView>;
interface WaitFormProps {
  gameId: string;
  terms: Terms;
  entry?: EntryView;
  price: string;
  balance: string | null;
  result: FormResult | undefined;
}

/** Says what will be taken, when, and how to leave, before the player agrees. */
export default function WaitForm({ gameId, terms, entry, price, balance, result }: WaitFormProps) {
  const { intent, submit, pendingLabel } = entry ? (entry.changed ? AGAIN : CHANGE) : JOIN;
  const { values } = result ?? {};
  useCloseWhenDone("waitlist", [CHANGE.intent], result !== undefined);
  return (
    <div className="group/wait **:scroll-mb-24">
      <div className={result && "mb-4"}>
        <FormErrors result={result} />
      </div>
      <Changes changes={entry?.changes} />
      <p className="text-muted tabular-nums">
        {`${entry ? "You keep your place on the waitlist." : terms.position} ${FREE}`}
      </p>
      {terms.missing && (
        <p className="text-muted tabular-nums">
          {terms.missing}{" "}
          <Link to="/wallet" className="link">
            Your wallet
          </Link>
        </p>
      )}
      <IntentForm intent={intent} preventScrollReset className="mt-3 grid gap-2">
        <FormKey />
        <input type="hidden" name="priceShown" value={price} />
        <Shown facts={terms.shown} />
        <Modes terms={terms} chosen={values?.mode ?? entry?.mode ?? "auto"} />
        {balance && !terms.missing && <p className="text-sm text-muted tabular-nums">{balance}</p>}
        <Until terms={terms} result={result} chosen={entry?.untilHours ?? terms.preset} />
        <Rules terms={terms} />
        {/* In view however long the rest is. */}
        <div
          data-foot
          className="sticky bottom-0 -mx-5 flex flex-wrap justify-end gap-3 border-t border-line bg-raised px-5 pt-3 pb-safe md:pb-3 short:pb-3 max-md:*:grow"
        >
          {entry ? (
            <DialogTrigger dialog={leaveDialog({ gameId })}>Leave waitlist</DialogTrigger>
          ) : (
            <DialogClose dialog="waitlist" className="max-[24rem]:hidden large:hidden">
              Not now
            </DialogClose>
          )}
          <SubmitButton variant="primary" pendingLabel={pendingLabel}>
            {submit}
          </SubmitButton>
        </div>
      </IntentForm>
    </div>
  );
}

const FREE = "Waiting costs nothing, and leaving is free.";

const JOIN = { intent: "wait", submit: "Join waitlist", pendingLabel: "Joining…" };
const AGAIN = { intent: "wait", submit: "Stay on the waitlist", pendingLabel: "Saving…" };
const CHANGE = { intent: "change-wait", submit: "Save changes", pendingLabel: "Saving…" };

const MODES = ["auto", "ask"] as const;

function Modes({
  terms: { labels, modes },
  chosen,
}: Pick<WaitFormProps, "terms"> & { chosen: string }) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-semibold">{labels.mode}</legend>
      {MODES.map((mode) => (
        <label
          key={mode}
          className="flex min-h-11 items-center gap-3 rounded-card border border-edge px-3 py-1.5 hover:border-ink has-checked:border-ink has-checked:bg-sunken"
        >
          <input
            type="radio"
            name="mode"
            value={mode}
            defaultChecked={mode === chosen}
            className="size-5 shrink-0 accent-ink"
          />
          <span className="leading-tight font-semibold">
            {modes[mode].label}{" "}
            <span className="ml-1 text-sm font-normal text-muted">{modes[mode].headline}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

type UntilProps = Pick<WaitFormProps, "terms" | "result"> & { chosen: number };

/** A sentence, until somebody wants another time. */
function Until({ terms: { labels, choices }, result, chosen }: UntilProps) {
  const field = fieldProps(result, "until", String(chosen));
  const isChanged = field.defaultValue !== String(chosen) || field.error;
  const { label } = choices.find(({ hours }) => hours === chosen) ?? choices[0]!;
  return (
    <details open={Boolean(isChanged)} onToggle={focusField} className="group/until">
      <summary className="flex min-h-11 list-none items-center justify-between gap-3 group-open/until:hidden">
        <span className="text-balance tabular-nums">{waitingUntil(label)}</span>
        <span className="link font-semibold">Change</span>
      </summary>
      <SelectField {...field} label={labels.until}>
        {choices.map(({ hours, label: option }) => (
          <option key={hours} value={hours}>
            {option}
          </option>
        ))}
      </SelectField>
    </details>
  );
}

/** The summary that had it is gone. */
function focusField({ currentTarget }: SyntheticEvent<HTMLDetailsElement>) {
  if (currentTarget.open) currentTarget.querySelector("select")?.focus();
}

/** For the chosen mode, even without JavaScript. */
function Rules({ terms: { modes, after, common, short } }: Pick<WaitFormProps, "terms">) {
  return (
    <details>
      <summary className="link flex min-h-11 items-center font-semibold">
        How the waitlist works
      </summary>
      <div className="grid gap-2 pb-3 text-sm text-muted">
        <p className="group-has-[[value=ask]:checked]/wait:hidden">{modes.auto.detail}</p>
        <p className="hidden group-has-[[value=ask]:checked]/wait:block">{modes.ask.detail}</p>
        <p>{after}</p>
        <p>{common}</p>
        {short && <p>{short}</p>}
      </div>
    </details>
  );
}
