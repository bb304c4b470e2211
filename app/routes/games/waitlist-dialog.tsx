import { Form, Link, useNavigation } from "react-router";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { FormKey } from "#app/forms/form-key.tsx";
import { fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog, DialogClose } from "#app/ui/dialog.tsx";
import { SelectField } from "#app/ui/field.tsx";
import type { GamePage } from "./game-page.server.ts";
import type { TermsView } from "./waitlist-view.server.ts";

type Terms = NonNullable<TermsView>;
interface WaitlistDialogProps {
  game: GamePage;
  terms: Terms;
  title: string;
  /** Of this form. */
  result: FormResult | undefined;
}

/** Says what will be taken, when, and how to leave, before anything is agreed to. */
export default function WaitlistDialog({ game, terms, title, result }: WaitlistDialogProps) {
  const isWaiting = useNavigation().formData?.get("intent") === "wait";
  const { values } = result ?? {};
  return (
    <Dialog id="waitlist" title={title} open={result}>
      <FormErrors result={result} />
      <p className="text-lg font-semibold">{terms.taken}</p>
      <p className="mt-1 text-muted tabular-nums">{terms.position}</p>
      {terms.missing && (
        <p className="mt-1 text-muted">
          {terms.missing}{" "}
          <Link to="/wallet" className="link">
            Your wallet
          </Link>
        </p>
      )}
      <Form method="post" preventScrollReset className="mt-4 grid gap-4">
        <input type="hidden" name="intent" value="wait" />
        <FormKey />
        <input type="hidden" name="priceShown" value={game.price.credits} />
        <Modes chosen={values?.mode ?? "auto"} />
        <SelectField
          {...fieldProps(result, "until", String(terms.preset))}
          label="Until when?"
          hint="After that your place on the list lapses, and we tell you by email."
        >
          {terms.choices.map(({ hours, label }) => (
            <option key={hours} value={hours}>
              {label}
            </option>
          ))}
        </SelectField>
        <p className="text-sm text-muted">
          Leave the list at any time, for free, here or under My Games. If the game changes, we ask
          you again first. {terms.grace}
        </p>
        <div className="flex flex-wrap justify-end gap-3 max-md:*:grow">
          <DialogClose dialog="waitlist">Not now</DialogClose>
          <Button variant="primary" pending={isWaiting} pendingLabel="Joining…">
            Join waitlist
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

const MODES = [
  ["auto", "Book it for me", "You get an email at once."],
  ["ask", "Ask me first", "We hold the spot and ask you by email. Nothing is taken by itself."],
] as const;

function Modes({ chosen }: { chosen: string }) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-semibold">When a spot opens</legend>
      {MODES.map(([mode, label, what]) => (
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
          <span className="text-sm font-normal text-muted">{what}</span>
        </label>
      ))}
    </fieldset>
  );
}
