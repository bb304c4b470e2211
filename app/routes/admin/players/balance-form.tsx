import { Form, useNavigation } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { SelectField, TextField } from "#app/ui/field.tsx";
import { REASON_MAX } from "./limits.ts";
import { fieldId, Panel, Problem } from "./panel.tsx";
import type { PlayerAnswer } from "./player-deeds.server.ts";
import type { RecordWords } from "./player-words.ts";

interface BalanceFormProps {
  player: RecordWords;
  /** Makes a form that is sent twice one correction. */
  correctionKey: string;
  answer: PlayerAnswer | undefined;
}

/** Gives or takes credits, with a reason that the player reads. */
export function BalanceForm({ player, correctionKey, answer }: BalanceFormProps) {
  const isBooking = useNavigation().formData?.get("intent") === "correct-balance";
  const field = (name: string) => ({
    id: fieldId("balance", name),
    name,
    defaultValue: answer?.values?.[name],
    error: answer?.errors?.[name],
  });
  const balance = <strong className="text-lg tabular-nums">{player.balance}</strong>;
  return (
    <Panel title="Balance" aside={balance}>
      {player.debt && (
        <p className="text-warn">
          Owes {player.debt} from a payment that went back; what you give pays that first.
        </p>
      )}
      <Form method="post" noValidate className="grid gap-4">
        <input type="hidden" name="intent" value="correct-balance" />
        <input type="hidden" name="key" value={correctionKey} />
        <Problem answer={answer} />
        <div className="grid grid-cols-2 items-start gap-3">
          <SelectField label="Correction" {...field("direction")}>
            <option value="give">Give</option>
            <option value="take">Take</option>
          </SelectField>
          <TextField
            label="Credits *"
            inputMode="decimal"
            autoComplete="off"
            required
            {...field("amount")}
          />
        </div>
        <TextField
          label="Reason *"
          hint={`${player.firstName} reads it in the statement, where it stays.`}
          maxLength={REASON_MAX}
          autoComplete="off"
          required
          {...field("reason")}
        />
        <Button variant="primary" pending={isBooking} pendingLabel="Booking…">
          Correct the balance
        </Button>
      </Form>
    </Panel>
  );
}
