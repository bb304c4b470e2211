import { Form, useNavigation } from "react-router";
import { PACK_NAME_MAX } from "#app/features/wallet/rules.ts";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { FormRefusal } from "#app/routes/admin/form-refusal.tsx";
import type { PackAnswer } from "./pack-answers.server.ts";
import type { PackValues } from "./pack-values.ts";

interface PackFormProps {
  /** What the form carries unseen: a version, or the id of a new pack. */
  hidden: Record<string, string | number>;
  values: PackValues;
  answer: PackAnswer | null | undefined;
  /** Whether a new deal takes the payment link away. */
  isPriceTied?: boolean;
  /** What the button says. */
  submit: string;
}

/** A pack's facts, for a new one and for one that is edited. */
export function PackForm({ hidden, values, answer, isPriceTied, submit }: PackFormProps) {
  const isSaving = useNavigation().formData?.get("intent") === "save";
  const shown = answer?.values ?? values;
  const field = (name: "name" | "price" | "credits") => ({
    ...{ id: `pack-${name}`, name, defaultValue: shown[name], error: answer?.errors?.[name] },
    ...{ autoComplete: "off", required: true },
  });
  return (
    <Form method="post" noValidate className="grid gap-4">
      <input type="hidden" name="intent" value="save" />
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {answer && !answer.asksDropLink && (
        <FormRefusal answer={answer} fieldId={(name) => `pack-${name}`} />
      )}
      <TextField label="Name *" maxLength={PACK_NAME_MAX} {...field("name")} />
      <TextField
        label="Price in euros *"
        hint={
          isPriceTied
            ? "A payment link sells one deal: another price or other credits take it away until a new one is made."
            : undefined
        }
        inputMode="decimal"
        {...field("price")}
      />
      <TextField
        label="Credits *"
        hint="What a payment gives from now on. What was sold stays as it was."
        inputMode="decimal"
        {...field("credits")}
      />
      <label className="flex min-h-11 items-center gap-3 font-semibold">
        <input
          type="checkbox"
          name="isActive"
          value="1"
          defaultChecked={shown.isActive !== ""}
          className="size-5"
        />
        On sale
      </label>
      {answer?.asksDropLink && <DropLink />}
      <Button variant="primary" size="lg" pending={isSaving} pendingLabel="Saving…">
        {submit}
      </Button>
    </Form>
  );
}

/** Asked before a new deal is saved. */
function DropLink() {
  return (
    <Notice tone="warn" title="Nothing is saved yet">
      <p>
        The payment link sells the old deal. With the new one it goes, and nobody can buy this pack
        until a new link is made. Subscriptions go on as they began.
      </p>
      <label className="mt-2 flex min-h-11 items-center gap-3 font-semibold">
        <input type="checkbox" name="dropLink" value="1" className="size-5 shrink-0" />
        Take the payment link away
      </label>
    </Notice>
  );
}
