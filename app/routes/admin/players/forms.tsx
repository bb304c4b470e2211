import type { ReactNode } from "react";
import { SUSPENSION_REASON_MAX } from "#app/features/accounts/rules.ts";
import { CORRECTION_REASON_MAX } from "#app/features/wallet/rules.ts";
import { FormKey } from "#app/forms/form-key.tsx";
import { fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { ChoiceField } from "#app/routes/admin/choice-field.tsx";
import { ConfirmationBox } from "#app/routes/admin/confirmation.tsx";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { TextField } from "#app/ui/field.tsx";
import { ChevronDown } from "#app/ui/icon.tsx";
import type { PlayerResult } from "./actions.server.ts";
import type { PlayerView } from "./player-view.ts";

interface PlayerFormProps {
  player: PlayerView;
  result: FormResult | undefined;
}

interface FoldedProps {
  id?: string;
  title: string;
  aside?: ReactNode;
  /** Starts open if it has something to say. */
  isOpen: boolean;
  children: ReactNode;
}

/** A form folded behind its name: the player's facts come first. */
function Folded({ id, title, aside, isOpen, children }: FoldedProps) {
  return (
    <details id={id} open={isOpen} className="group scroll-mt-20">
      <summary className="flex min-h-14 cursor-pointer items-center gap-3 px-4 focus-visible:-outline-offset-3 md:px-6">
        <h3 className="grow text-base">{title}</h3>
        {aside}
        <ChevronDown className="size-5 text-muted group-open:rotate-180" />
      </summary>
      <div className="grid gap-4 px-4 pb-4 md:px-6 md:pb-6">{children}</div>
    </details>
  );
}

type BalanceFormProps = Omit<PlayerFormProps, "result"> & { result: PlayerResult | undefined };

export function BalanceForm({ player, result }: BalanceFormProps) {
  const field = (name: string, value?: string) => ({
    ...fieldProps(result, name, value),
    id: balanceId(name),
  });
  const balance = <strong className="tabular-nums">{player.balance}</strong>;
  return (
    <Folded id="balance" title="Correct the balance" aside={balance} isOpen>
      {player.debt && (
        <p className="text-warn">
          Owes {player.debt} from a payment that went back; what you give pays that first.
        </p>
      )}
      <IntentForm intent="correct-balance" result={result} fieldId={balanceId}>
        <FormKey />
        <ConfirmationBox confirmation={result?.confirmation} pendingLabel="Booking…" />
        <div className="grid grid-cols-2 items-start gap-3">
          <ChoiceField label="Correction" {...field("direction", "give")} choices={DIRECTIONS} />
          <TextField
            label="Credits *"
            hint="At most 9,999 credits"
            inputMode="decimal"
            autoComplete="off"
            required
            {...field("amount")}
          />
        </div>
        <TextField
          label="Reason *"
          hint={`${player.firstName} reads it in an email and in the statement, where it stays.`}
          maxLength={CORRECTION_REASON_MAX}
          autoComplete="off"
          required
          {...field("reason")}
        />
        <SubmitButton
          variant={result?.confirmation ? "secondary" : "primary"}
          pendingLabel="Booking…"
        >
          Correct the balance
        </SubmitButton>
      </IntentForm>
    </Folded>
  );
}

const balanceId = (name: string) => `balance-${name}`;

const DIRECTIONS = [
  ["give", "Give"],
  ["take", "Take"],
] as const;

export function SuspensionForm({
  player,
  upcoming,
  result,
}: PlayerFormProps & { upcoming: number }) {
  const { firstName } = player;
  const consequences = (
    <>
      {upcoming > 0 ? (
        <>
          <a href="#upcoming" className="link">
            {upcoming === 1 ? "1 upcoming booking" : `${upcoming} upcoming bookings`}
          </a>{" "}
          {upcoming === 1 ? "stays" : "stay"} until you take {firstName} off the player lists.
        </>
      ) : (
        "There are no upcoming bookings to take off."
      )}{" "}
      A subscription goes on, and is paid, until it is cancelled in Stripe, which takes the
      payments.
    </>
  );
  if (player.suspension) {
    return (
      <Folded id="suspension" title="Suspension" isOpen>
        <IntentForm intent="unsuspend" result={result}>
          <p>
            {firstName} cannot sign in, join or cancel. {consequences}
          </p>
          <p className="text-muted">{firstName} gets an email when it is lifted.</p>
          <SubmitButton pendingLabel="Lifting…">Lift the suspension</SubmitButton>
        </IntentForm>
      </Folded>
    );
  }
  return (
    <Folded id="suspension" title="Suspend" isOpen={result !== undefined}>
      <IntentForm intent="suspend" result={result} fieldId={(name) => `suspension-${name}`}>
        <p>{consequences}</p>
        <TextField
          {...fieldProps(result, "reason")}
          id="suspension-reason"
          label="Reason *"
          hint={`Only organisers read it. ${firstName} gets an email without it.`}
          maxLength={SUSPENSION_REASON_MAX}
          autoComplete="off"
          required
        />
        <Confirm id="suspension-confirmed" result={result}>
          Sign {firstName} out everywhere, with no way to sign in until this is lifted
        </Confirm>
        <SubmitButton variant="danger" pendingLabel="Suspending…">
          Suspend
        </SubmitButton>
      </IntentForm>
    </Folded>
  );
}

export function RoleForm({ player, isSelf, result }: PlayerFormProps & { isSelf: boolean }) {
  const { isAdmin, firstName } = player;
  const intent = isAdmin ? "unmake-admin" : "make-admin";
  return (
    <Folded title="Admin role" isOpen={result !== undefined}>
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
    </Folded>
  );
}

type ConfirmProps = { id: string; result: FormResult | undefined; children: ReactNode };

/** A required checkbox, which works without JavaScript. */
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
