import { Form, useNavigation } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { DialogClose, DialogTrigger, Dialog } from "#app/ui/dialog.tsx";
import { FormKey } from "#app/forms/form-key.tsx";
import type { AdminGamePage } from "./desk-page.server.ts";

const DIALOG = "cancel-game";

/** Asks before a game is called off, and says what that does. */
export function CancelGameDialog({ game }: { game: AdminGamePage }) {
  const isCancelling = useNavigation().formData?.get("intent") === "cancel";
  return (
    <>
      <DialogTrigger dialog={DIALOG} variant="danger">
        Cancel game
      </DialogTrigger>
      <Dialog id={DIALOG} title="Cancel this game?">
        <p className="font-semibold">
          {game.place}, {game.day}, {game.time}
        </p>
        {game.hasStarted && (
          <p className="mt-2">
            Its kick-off is over: cancel it only if it was not played. It then counts for nobody.
          </p>
        )}
        <p className="mt-2">{consequence(game.joinedCount)} This cannot be undone.</p>
        <Form method="post" className="mt-6 flex flex-wrap justify-end gap-3 max-md:*:grow">
          <input type="hidden" name="intent" value="cancel" />
          <FormKey />
          <DialogClose dialog={DIALOG}>Keep the game</DialogClose>
          <Button variant="danger" pending={isCancelling} pendingLabel="Cancelling…">
            Cancel game for good
          </Button>
        </Form>
      </Dialog>
    </>
  );
}

function consequence(players: number): string {
  if (players === 0) return "Nobody is in it.";
  const who = players === 1 ? "The one player will" : `All ${players} players will`;
  return `${who} get the full price back, whatever the hour, and a mail.`;
}
