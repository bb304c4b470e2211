import { FormKey } from "#app/forms/form-key.tsx";
import type { FormResult } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { Dialog, DialogClose, DialogTrigger } from "#app/ui/dialog.tsx";
import { MessageField } from "./form.tsx";
import type { CancelOneView } from "./view.server.ts";
import type { AdminGamePage } from "#app/routes/admin/games/game-view.server.ts";

interface CancelDialogProps {
  game: AdminGamePage;
  cancel: CancelOneView;
  result: FormResult | undefined;
}

export function CancelDialog({ game, cancel, result }: CancelDialogProps) {
  const dialog = "cancel-game";
  return (
    <>
      <DialogTrigger dialog={dialog} variant="danger">
        Cancel game
      </DialogTrigger>
      <Dialog id={dialog} title="Cancel this game?" open={result}>
        <IntentForm
          intent="cancel"
          hidden={{ shown: cancel.shown }}
          result={result}
          fieldId={cancelFieldId}
          action={`/admin/games/${game.id}`}
        >
          <FormKey />
          <p className="font-semibold">
            {game.place}, {game.day}, {game.time}
          </p>
          {game.hasStarted && (
            <p>
              Its kick-off is over: cancel it only if it was not played. It then counts for nobody.
            </p>
          )}
          <p>{cancel.effect} This cannot be undone.</p>
          {game.joinedCount > 0 && <MessageField id={cancelFieldId("message")} result={result} />}
          {game.canCancelFollowing && (
            <ButtonLink to={`/admin/games/${game.id}/cancel?scope=following`} variant="quiet">
              Cancel following games too
            </ButtonLink>
          )}
          <div className="flex flex-wrap justify-end gap-3 max-md:*:grow">
            <DialogClose dialog={dialog}>Keep the game</DialogClose>
            <SubmitButton variant="danger" pendingLabel="Cancelling…">
              Cancel game for good
            </SubmitButton>
          </div>
        </IntentForm>
      </Dialog>
    </>
  );
}

const cancelFieldId = (name: string) => `cancel-${name}`;
