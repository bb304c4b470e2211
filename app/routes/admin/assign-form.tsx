import { Form } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { ErrorSummary } from "#app/ui/error-summary.tsx";
import { SelectField, TextField } from "#app/ui/field.tsx";
import type { PackChoice, ParkedWords } from "./parked-words.ts";
import type { Refusal } from "./settle-form.ts";
import { headingId, SettleFields, settlePath, usePendingIntent } from "./settle-fields.tsx";

type AssignFormProps = {
  eventId: string;
  assign: NonNullable<ParkedWords["assign"]>;
  packs: PackChoice[];
  refusal: Refusal | undefined;
};

/** Says whose it is and what for; filled in as far as Stripe's event says it. */
export function AssignForm({ eventId, assign, packs, refusal }: AssignFormProps) {
  const isGiving = usePendingIntent(eventId) === "assign";
  const { errors = {}, values = assign } = refusal ?? {};
  const ids = { email: `email-${eventId}`, packId: `pack-${eventId}` };
  return (
    <Form method="post" action={settlePath(eventId)} preventScrollReset className="grid gap-4">
      <SettleFields intent="assign" eventId={eventId} />
      <ErrorSummary
        key={values.email}
        errors={(["email", "packId"] as const).flatMap((name) =>
          errors[name] ? [{ field: ids[name], message: errors[name] }] : [],
        )}
      />
      <TextField
        id={ids.email}
        label="Player's email"
        type="email"
        name="email"
        autoComplete="off"
        maxLength={255}
        required
        defaultValue={values.email}
        error={errors.email}
      />
      {assign.needsPack && (
        <SelectField
          id={ids.packId}
          label="Pack"
          name="packId"
          required
          defaultValue={values.packId}
          error={errors.packId}
        >
          <option value="">Choose a pack</option>
          {packs.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </SelectField>
      )}
      <Button
        variant="primary"
        pending={isGiving}
        pendingLabel="Settling…"
        aria-describedby={headingId(eventId)}
      >
        {assign.needsPack ? "Give the credits" : "It belongs to this player"}
      </Button>
    </Form>
  );
}
