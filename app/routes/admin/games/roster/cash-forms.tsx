import { fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { DialogClose, Dialog, DialogTrigger } from "#app/ui/dialog.tsx";
import { TextField } from "#app/ui/field.tsx";
import type { Roster, RosterPlayer } from "#app/routes/admin/games/game-view.server.ts";
import { ConfirmationBox } from "#app/routes/admin/confirmation.tsx";
import { HiddenName } from "#app/routes/admin/games/hidden-name.tsx";
import type { RosterResult } from "./roster-actions.server.ts";
import { CASH_METHODS } from "#app/features/roster/rules.ts";

interface CashFieldsProps {
  roster: Pick<Roster, "usualAmount">;
  result: FormResult | undefined;
  /** Tells the fields of several forms apart. */
  suffix?: string;
}

export function CashFields({ roster, result, suffix = "" }: CashFieldsProps) {
  const chosen = result?.values?.["method"] ?? CASH_METHODS[0];
  const error = result?.fieldErrors?.["method"];
  return (
    <div className="grid gap-3">
      <TextField
        {...fieldProps(result, "amount", roster.usualAmount)}
        id={`amount${suffix}`}
        label="Amount in €"
        inputMode="decimal"
        autoComplete="off"
        maxLength={12}
      />
      <fieldset className="grid">
        <legend className="font-semibold">Method</legend>
        <div className="flex flex-wrap gap-x-5">
          {CASH_METHODS.map((method, index) => (
            <label key={method} className="flex min-h-11 items-center gap-3">
              <input
                id={index === 0 ? `method${suffix}` : undefined}
                type="radio"
                name="method"
                value={method}
                defaultChecked={method === chosen}
                className="size-5"
              />
              {method}
            </label>
          ))}
        </div>
        {error && <p className="text-sm font-semibold text-danger">{error}</p>}
      </fieldset>
    </div>
  );
}

type PayProps = { roster: Roster; player: RosterPlayer; result: RosterResult | undefined };

const payDialog = ({ bookingId }: RosterPlayer) => `pay-${bookingId}`;

export function PayDialog({ roster, player, result }: PayProps) {
  const { bookingId, cashPaymentId, name } = player;
  const suffix = `-${bookingId}`;
  const dialog = payDialog(player);
  return (
    <Dialog id={dialog} title={`${name} has paid`} open={result}>
      <IntentForm
        intent="mark-paid"
        hidden={{ bookingId }}
        once={{ cashPaymentId }}
        result={result}
        fieldId={(field) => field + suffix}
        action={roster.path}
        preventScrollReset
      >
        <CashFields roster={roster} result={result} suffix={suffix} />
        <ConfirmationBox confirmation={result?.unusualCash} pendingLabel="Saving…" />
        <div className="flex flex-wrap justify-end gap-3 max-md:*:grow">
          <DialogClose dialog={dialog}>Not yet</DialogClose>
          <SubmitButton variant="primary">Mark paid</SubmitButton>
        </div>
      </IntentForm>
    </Dialog>
  );
}

export function MarkPaid({ player }: Pick<PayProps, "player">) {
  return (
    <DialogTrigger dialog={payDialog(player)}>
      Mark paid <HiddenName>{player.name}</HiddenName>
    </DialogTrigger>
  );
}

interface RowFormProps {
  roster: Pick<Roster, "path">;
  intent: string;
  hidden: Record<string, string>;
  label: string;
  /** For screen readers: the button alone does not say whose. */
  about: string;
  isQuiet?: boolean;
}

export function RowForm({ roster, intent, hidden, label, about, isQuiet }: RowFormProps) {
  return (
    <IntentForm
      intent={intent}
      hidden={hidden}
      action={roster.path}
      preventScrollReset
      className=""
    >
      <SubmitButton variant={isQuiet ? "quiet" : "secondary"}>
        {label} <span className="sr-only">{about}</span>
      </SubmitButton>
    </IntentForm>
  );
}
