import { Form, useNavigation } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { DialogClose, DialogTrigger, Dialog } from "#app/ui/dialog.tsx";
import { FormKey } from "#app/forms/form-key.tsx";
import type { Sheet, RosterPlayer } from "./sheet.server.ts";

/** Asks before a player loses the seat, and what is given back. */
export function RemoveDialog({ sheet, player }: { sheet: Sheet; player: RosterPlayer }) {
  const dialog = `remove-${player.bookingId}`;
  const { formData } = useNavigation();
  const isRemoving =
    formData?.get("intent") === "remove" && formData.get("bookingId") === player.bookingId;
  return (
    <>
      <DialogTrigger dialog={dialog} variant="quiet">
        Remove <span className="sr-only">{player.name}</span>
      </DialogTrigger>
      <Dialog id={dialog} title={`Remove ${player.name}?`}>
        <p>The seat is free for someone else at once, and the player is told by mail.</p>
        <Form method="post" action={sheet.path} className="mt-4 grid gap-4">
          <input type="hidden" name="intent" value="remove" />
          <FormKey />
          <input type="hidden" name="bookingId" value={player.bookingId} />
          {player.refund ? (
            <fieldset className="grid">
              <legend className="font-semibold">Refund</legend>
              <Choice value="full" label={player.refund} isChosen />
              <Choice value="none" label="Give nothing back" />
            </fieldset>
          ) : (
            <>
              <input type="hidden" name="refund" value="none" />
              <p className="text-muted">No credits were taken, so none are given back.</p>
            </>
          )}
          <div className="flex flex-wrap justify-end gap-3 max-md:*:grow">
            <DialogClose dialog={dialog}>Keep the player</DialogClose>
            <Button variant="danger" pending={isRemoving} pendingLabel="Removing…">
              Remove player
            </Button>
          </div>
        </Form>
      </Dialog>
    </>
  );
}

function Choice({ value, label, isChosen }: { value: string; label: string; isChosen?: boolean }) {
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input
        type="radio"
        name="refund"
        value={value}
        defaultChecked={isChosen}
        className="size-5"
      />
      {label}
    </label>
  );
}
