import { type ReactNode, useId } from "react";
import { Form } from "react-router";
import { SUSPENSION_REASON_MAX } from "#app/features/accounts/rules.ts";
import { CORRECTION_REASON_MAX } from "#app/features/wallet/rules.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { usePendingIntent } from "#app/routes/use-pending-intent.ts";
import { Button } from "#app/ui/button.tsx";
import { SelectField, TextField } from "#app/ui/field.tsx";
import type { PlayerView } from "./player-view.ts";

interface PlayerFormProps {
  player: PlayerView;
  result: FormResult | undefined;
}

/** Gives or takes credits, with a reason that the player reads. */
export function BalanceForm({
  player,
  correctionKey,
  result,
}: PlayerFormProps & { correctionKey: string }) {
  const isPending = usePendingIntent() === "correct-balance";
  const field = (name: string, value?: string) => ({
    ...fieldProps(result, name, value),
    id: `balance-${name}`,
  });
  const balance = <strong className="text-lg tabular-nums">{player.balance}</strong>;
  return (
    <Panel title="Balance" aside={balance}>
      {player.debt && (
        <p className="text-warn">
          Owes {player.debt} from a payment that went back; what you give pays that first.
        </p>
      )}
      {/* Sent twice it is one correction, by its key. */}
      <Form method="post" noValidate className="grid gap-4">
        <input type="hidden" name="intent" value="correct-balance" />
        <input type="hidden" name="key" value={correctionKey} />
        <FormErrors result={result} fieldId={(name) => `balance-${name}`} />
        <div className="grid grid-cols-2 items-start gap-3">
          <SelectField label="Correction" {...field("direction", "give")}>
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
          maxLength={CORRECTION_REASON_MAX}
          autoComplete="off"
          required
          {...field("reason")}
        />
        <Button variant="primary" pending={isPending} pendingLabel="Booking…">
          Correct the balance
        </Button>
      </Form>
    </Panel>
  );
}

/** Suspends an account, or lifts its suspension. */
export function SuspensionForm({ player, result }: PlayerFormProps) {
  const { firstName } = player;
  const intent = usePendingIntent();
  const consequences =
    `Upcoming bookings stay until you take ${firstName} off the player lists; a subscription ` +
    "goes on until it is cancelled at Stripe.";
  if (player.suspension) {
    return (
      <Panel title="Suspension">
        <FormErrors result={result} />
        <p>
          {firstName} cannot sign in, join or cancel. {consequences}
        </p>
        <Form method="post">
          <input type="hidden" name="intent" value="unsuspend" />
          <Button wide pending={intent === "unsuspend"} pendingLabel="Lifting…">
            Lift the suspension
          </Button>
        </Form>
      </Panel>
    );
  }
  return (
    <Panel title="Suspend">
      <Form method="post" noValidate className="grid gap-4">
        <input type="hidden" name="intent" value="suspend" />
        <FormErrors result={result} fieldId={(name) => `suspension-${name}`} />
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
        <Button variant="danger" pending={intent === "suspend"} pendingLabel="Suspending…">
          Suspend
        </Button>
      </Form>
    </Panel>
  );
}

/** Gives the admin role, or takes it away. */
export function RoleForm({ player, isSelf, result }: PlayerFormProps & { isSelf: boolean }) {
  const { isAdmin, firstName } = player;
  const intent = isAdmin ? "unmake-admin" : "make-admin";
  const isPending = usePendingIntent() === intent;
  return (
    <Panel title="Admin role">
      <Form key={intent} method="post" noValidate className="grid gap-4">
        <input type="hidden" name="intent" value={intent} />
        <FormErrors result={result} fieldId={(name) => `role-${name}`} />
        <Confirm id="role-confirmed" result={result}>
          {isAdmin
            ? `${isSelf ? "You lose" : `${firstName} loses`} admin access at once`
            : `${firstName} may do everything here, money included`}
        </Confirm>
        <Button
          variant={isAdmin ? "danger" : "secondary"}
          pending={isPending}
          pendingLabel="Saving…"
        >
          {isAdmin ? "Take the admin role away" : "Make an admin"}
        </Button>
      </Form>
    </Panel>
  );
}

type PanelProps = { title: string; aside?: ReactNode; children: ReactNode };

function Panel({ title, aside, children }: PanelProps) {
  const heading = useId();
  return (
    <section
      aria-labelledby={heading}
      className="grid min-w-0 gap-4 rounded-card bg-surface p-4 shadow-card md:p-6"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 id={heading} className="text-base">
          {title}
        </h3>
        {aside}
      </div>
      {children}
    </section>
  );
}

type ConfirmProps = { id: string; result: FormResult | undefined; children: ReactNode };

/** A box to tick before what takes effect at once; it works as plain HTML. */
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
