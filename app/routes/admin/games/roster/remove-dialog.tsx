import { FormKey } from "#app/forms/form-key.tsx";
import type { FormResult } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { DialogClose, Dialog } from "#app/ui/dialog.tsx";
import type { Roster, RosterPlayer } from "#app/routes/admin/games/game-view.server.ts";

type RemoveProps = { roster: Roster; player: RosterPlayer; result: FormResult | undefined };

export const removeDialog = ({ bookingId }: RosterPlayer) => `remove-${bookingId}`;

export function RemoveDialog({ roster, player, result }: RemoveProps) {
  const dialog = removeDialog(player);
  return (
    <Dialog id={dialog} title={`Remove ${player.name}?`} open={result}>
      <IntentForm
        intent="remove"
        hidden={{ bookingId: player.bookingId, shown: player.shown }}
        result={result}
        action={roster.path}
        preventScrollReset
      >
        <FormKey />
        <p>The seat is free for someone else at once, and the player is notified by email.</p>
        {player.refund ? (
          <fieldset className="grid">
            <legend className="font-semibold">Refund</legend>
            {Object.entries({ full: player.refund, none: "Give nothing back" }).map(
              ([value, label]) => (
                <label key={value} className="flex min-h-11 items-center gap-3">
                  <input
                    type="radio"
                    name="refund"
                    value={value}
                    defaultChecked={value === (result?.values?.refund ?? "full")}
                    className="size-5"
                  />
                  {label}
                </label>
              ),
            )}
          </fieldset>
        ) : (
          <>
            <input type="hidden" name="refund" value="none" />
            <p className="text-muted">No credits were taken, so none are given back.</p>
            {player.toGiveBack && <p className="font-semibold">{player.toGiveBack}</p>}
          </>
        )}
        <div className="flex flex-wrap justify-end gap-3 max-md:*:grow">
          <DialogClose dialog={dialog}>Keep the player</DialogClose>
          <SubmitButton variant="danger" pendingLabel="Removing…">
            Remove player
          </SubmitButton>
        </div>
      </IntentForm>
    </Dialog>
  );
}
