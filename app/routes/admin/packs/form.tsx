import { PACK_NAME_MAX } from "#app/features/wallet/rules.ts";
import { FocusedBox } from "#app/forms/form-errors.tsx";
import { fieldProps } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/routes/admin/intent-form.tsx";
import { TextField } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { PackResult, PackValues } from "./actions.server.ts";

interface PackFormProps {
  /** The edited version, or the id of a new pack. */
  hidden?: { version: string | number };
  once?: Record<string, string>;
  values: PackValues;
  result: PackResult | undefined;
  /** A new price or number of credits invalidates the payment link. */
  isPriceTied?: boolean;
  submit: string;
}

const NEW_DEAL =
  "A payment link sells one deal: with another price or other credits the pack needs a new one.";

export function PackForm({ hidden, once, values, result, isPriceTied, submit }: PackFormProps) {
  // Browsers do not send unticked checkboxes.
  const isActive = Boolean((result?.values ?? values)["isActive"]);
  const field = (name: "name" | "price" | "credits") => ({
    ...fieldProps(result, name, values[name]),
    ...{ autoComplete: "off", required: true },
  });
  return (
    <IntentForm intent="save" hidden={hidden} once={once} result={result}>
      <TextField {...field("name")} label="Name *" maxLength={PACK_NAME_MAX} />
      <TextField
        {...field("price")}
        label="Price in euros *"
        hint={isPriceTied && NEW_DEAL}
        inputMode="decimal"
      />
      <TextField
        {...field("credits")}
        label="Credits *"
        hint="What a payment gives from now on. What was sold stays as it was."
        inputMode="decimal"
      />
      <label className="flex min-h-11 items-center gap-3 font-semibold">
        <input
          type="checkbox"
          name="isActive"
          value="1"
          defaultChecked={isActive}
          className="size-5"
        />
        On sale
      </label>
      <p className="-mt-3 text-sm text-muted">Players see it once it has a payment link.</p>
      {result?.asksDropLink && (
        <FocusedBox of={result} label="Payment link">
          <Notice tone="warn" title="Nothing is saved yet">
            <p>
              The payment link sells the old deal. With the new one it goes, and the pack is off
              sale until you make a new link. Subscriptions go on as they began.
            </p>
            <label className="mt-2 flex min-h-11 items-center gap-3 font-semibold">
              <input type="checkbox" name="dropLink" value="1" className="size-5 shrink-0" />
              Take the payment link away
            </label>
          </Notice>
        </FocusedBox>
      )}
      <SubmitButton variant="primary" size="lg">
        {submit}
      </SubmitButton>
    </IntentForm>
  );
}
