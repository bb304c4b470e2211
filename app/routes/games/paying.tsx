import type { ReactNode } from "react";
import { resultOf } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { HeldUntil, PAYMENT_PENDING } from "#app/routes/credits/held-until.tsx";
import { heldClass, rowClass } from "#app/routes/games/waitlist/bar.tsx";
import { Dialog, DialogClose } from "#app/ui/dialog.tsx";
import type { FailedJoin } from "./game-row.server.ts";
import type { GamePage } from "./game-page.server.ts";

type PayingProps = { game: GamePage; result: FailedJoin | undefined; children: ReactNode };

/** The spot that is held while its player pays; `children` lead on to the payment. */
export default function Paying({ game, result, children }: PayingProps) {
  const { isPaid, isPending, ...held } = game.paying!;
  const asked = resultOf(result, "stop-paying");
  if (isPaid) {
    return (
      <p role="status" className="text-lg font-bold">
        Booking your spot…
      </p>
    );
  }
  return (
    <div className={isPending ? "grid grow gap-y-2" : heldClass}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 text-sm">
        <HeldUntil {...held} />
        <IntentForm intent="stop-paying" preventScrollReset>
          <SubmitButton
            variant="quiet"
            pendingLabel="Giving it back…"
            className="link border-0! px-0!"
          >
            Give the spot back
          </SubmitButton>
        </IntentForm>
      </div>
      {isPending ? <p>{PAYMENT_PENDING}</p> : <div className={rowClass}>{children}</div>}
      {asked?.confirms && <GiveBackDialog asked={asked} />}
    </div>
  );
}

const DIALOG = "give-back";

/** A payment is under way, and the spot is lost for good. */
function GiveBackDialog({ asked }: { asked: FailedJoin }) {
  return (
    <Dialog id={DIALOG} title="Give the spot back?" open={asked}>
      <p>{asked.formError}</p>
      <IntentForm
        intent="stop-paying"
        hidden={{ confirmed: asked.confirms }}
        preventScrollReset
        className="mt-6 flex flex-wrap justify-end gap-3 max-sm:*:grow"
      >
        <DialogClose dialog={DIALOG}>Keep my spot</DialogClose>
        <SubmitButton variant="danger" pendingLabel="Giving it back…">
          Give it back
        </SubmitButton>
      </IntentForm>
    </Dialog>
  );
}
