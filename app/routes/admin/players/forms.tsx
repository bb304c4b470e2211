import type { ReactNode } from "react";
import { SUSPENSION_REASON_MAX } from "#app/features/accounts/rules.ts";
import { CORRECTION_REASON_MAX } from "#app/features/wallet/rules.ts";
import { FormKey } from "#app/forms/form-key.tsx";
import { fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { ChoiceField } from "#app/routes/admin/choice-field.tsx";
import { IntentForm, SubmitButton } from "#app/routes/admin/intent-form.tsx";
import { Panel } from "#app/routes/admin/page.tsx";
import { TextField } from "#app/ui/field.tsx";
import type { PlayerView } from "./player-view.ts";

interface PlayerFormProps {
  player: PlayerView;
  result: FormResult | undefined;
}

/** Gives or takes credits, with a reason that the player reads. */
export function BalanceForm({ player, result }: PlayerFormProps) {
  const field = (name: string, value?: string) => ({
    ...fieldProps(result, name, value),
    id: balanceId(name),
  });
  const balance = <strong className="text-lg tabular-nums">{player.balance}</strong>;
  return (
    <Panel title="Balance" aside={balance}>
      {player.debt && (
        <p className="text-warn">
          Owes {player.debt} from a payment that went back; what you give pays that first.
        </p>
      )}
      <IntentForm intent="correct-balance" result={result} fieldId={balanceId}>
        <FormKey />
        <div className="grid grid-cols-2 items-start gap-3">
          <ChoiceField label="Correction" {...field("direction", "give")} choices={DIRECTIONS} />
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
          maxLength={CORRECTION_REASON_MAX}
          autoComplete="off"
          required
          {...field("reason")}
        />
        <SubmitButton variant="primary" pendingLabel="Booking…">
          Correct the balance
        </SubmitButton>
      </IntentForm>
    </Panel>
  );
}

const balanceId = (name: string) => `balance-${name}`;

const DIRECTIONS = [
  ["give", "Give"],
  ["take", "Take"],
] as const;

export function SuspensionForm({ player, result }: PlayerFormProps) {
  const { firstName } = player;
  const consequences =
    `Upcoming bookings stay until you take ${firstName} off the player lists; a subscription ` +
    "goes on until it is cancelled at Stripe.";
  if (player.suspension) {
    return (
      <Panel title="Suspension">
        <IntentForm intent="unsuspend" result={result}>
          <p>
            {firstName} cannot sign in, join or cancel. {consequences}
          </p>
          <SubmitButton pendingLabel="Lifting…">Lift the suspension</SubmitButton>
        </IntentForm>
      </Panel>
    );
  }
  return (
    <Panel title="Suspend">
      <IntentForm intent="suspend" result={result} fieldId={(name) => `suspension-${name}`}>
        <p>{consequences}</p>
        <TextField
          {...fieldProps(result, "reason")}
          id="suspension-reason"
          label="Reason *"
          hint="Only organisers read it."
          maxLength={SUSPENSION_REASON_MAX}
          autoComplete="off"
          required
        />
        <Confirm id="suspension-confirmed" result={result}>
          Sign {firstName} out everywhere, and let nobody in until this is lifted
        </Confirm>
        <SubmitButton variant="danger" pendingLabel="Suspending…">
          Suspend
        </SubmitButton>
      </IntentForm>
    </Panel>
  );
}

export function RoleForm({ player, isSelf, result }: PlayerFormProps & { isSelf: boolean }) {
  const { isAdmin, firstName } = player;
  const intent = isAdmin ? "unmake-admin" : "make-admin";
  return (
    <Panel title="Admin role">
      <IntentForm key={intent} intent={intent} result={result} fieldId={(name) => `role-${name}`}>
        <Confirm id="role-confirmed" result={result}>
          {isAdmin
            ? `${isSelf ? "You lose" : `${firstName} loses`} admin access at once`
            : `${firstName} may do everything here, money included`}
        </Confirm>
        <SubmitButton variant={isAdmin ? "danger" : "secondary"}>
          {isAdmin ? "Take the admin role away" : "Make an admin"}
        </SubmitButton>
      </IntentForm>
    </Panel>
  );
}

type ConfirmProps = { id: string; result: FormResult | undefined; children: ReactNode };

/** A required checkbox as confirmation; works without JavaScript. */
function Confirm({ id, result, children }: ConfirmProps) {
  const error = result?.fieldErrors?.confirmed;
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input
        id={id}
        type="checkbox"
        name="confirmed"
        value="1"
        required
        defaultChecked={Boolean(result?.values?.confirmed)}
        aria-invalid={error ? true : undefined}
        className="size-5 shrink-0"
      />
      <span>
        {children}
        {error && <span className="block text-sm font-semibold text-danger">{error}</span>}
      </span>
    </label>
  );
}
