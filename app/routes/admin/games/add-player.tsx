import { Form, useNavigation } from "react-router";
import { Avatar } from "#app/ui/avatar.tsx";
import { Button } from "#app/ui/button.tsx";
import { EmailText } from "#app/ui/email-text.tsx";
import { ErrorSummary } from "#app/ui/error-summary.tsx";
import { TextField } from "#app/ui/field.tsx";
import { FormKey } from "#app/forms/form-key.tsx";
import type { Sheet } from "./sheet.server.ts";
import type { Choice, SheetRefusal } from "./sheet-answer.ts";

type AddProps = { sheet: Sheet; refusal: SheetRefusal | undefined };

/** Adds who came along, by e-mail address or name; asks whom where a name fits several. */
export function AddPlayer({ sheet, refusal }: AddProps) {
  const { formData } = useNavigation();
  const isAdding = formData?.get("intent") === "add" && !formData.has("playerId");
  const error = refusal?.errors?.who ?? refusal?.problem;
  return (
    <div className="grid gap-4 rounded-card bg-surface p-4 shadow-card">
      <h4 className="font-bold">Add a player</h4>
      {error && <ErrorSummary errors={[{ field: "who", message: error }]} of={refusal} />}
      <Form
        key={`${sheet.players.length} ${refusal?.values?.who}`}
        method="post"
        action={sheet.path}
        className="grid items-end gap-3 md:grid-cols-[1fr_auto]"
      >
        <input type="hidden" name="intent" value="add" />
        <FormKey />
        <TextField
          id="who"
          name="who"
          label="Email or name"
          autoComplete="off"
          autoCapitalize="none"
          maxLength={255}
          required
          defaultValue={refusal?.values?.who}
          error={refusal?.errors?.who}
        />
        <Button pending={isAdding} pendingLabel="Adding…" className="md:min-h-12">
          Add player
        </Button>
      </Form>
      <p className="text-sm text-muted">
        The seat is unpaid: no credits are taken. Mark it paid when it is settled.
      </p>
      {refusal?.choices && <Choices sheet={sheet} choices={refusal.choices} />}
    </div>
  );
}

function Choices({ sheet, choices }: { sheet: Sheet; choices: Choice[] }) {
  return (
    <section aria-labelledby="choices" className="grid gap-2">
      <h5 id="choices" className="font-semibold">
        Who is it?
      </h5>
      <ul className="grid gap-2">
        {choices.map(({ playerId, name, email, pictureUrl }) => (
          <li key={playerId} className="flex items-center gap-3">
            <Avatar src={pictureUrl} name={name} />
            <p className="min-w-0 grow wrap-anywhere">
              <strong>{name}</strong>
              <br />
              <span className="text-sm text-muted">
                <EmailText>{email}</EmailText>
              </span>
            </p>
            <Form method="post" action={sheet.path}>
              <input type="hidden" name="intent" value="add" />
              <FormKey />
              <input type="hidden" name="playerId" value={playerId} />
              <Button>
                Add <span className="sr-only">{name}</span>
              </Button>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  );
}
