import type { ReactNode } from "react";
import { resultOf } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { ContinuePayment } from "#app/routes/credits/continue-payment.tsx";
import { HeldUntil } from "#app/routes/credits/held-until.tsx";
import { PAYMENT_PENDING } from "#app/routes/credits/pending-payment.tsx";
import { findInBar } from "#app/routes/credits/under-way.tsx";
import { bigClass, heldClass, rowClass } from "#app/routes/games/waitlist/bar.tsx";
import { Dialog, DialogClose } from "#app/ui/dialog.tsx";
import type { FailedJoin } from "./game-row.server.ts";
import type { GamePage } from "./game-page.server.ts";

type PayingProps = { game: GamePage; result: FailedJoin | undefined; children: ReactNode };

/** The spot that is held while its player pays; `children` lead on to the payment. */
export default function Paying({ game, result, children }: PayingProps) {
  const { isPaid, isPending, begun, ...held } = game.paying!;
  const asked = resultOf(result, "stop-paying");
  if (isPaid) {
    return (
      <p role="status" className="text-lg font-bold">
        Booking your spot…
      </p>
    );
  }
  const dialog = asked?.confirms && <GiveBackDialog asked={asked} />;
  if (isPending) {
    const payment = findInBar(game);
    return (
      <div className="grid grow gap-1">
        <HeldUntil {...held}>{payment?.title}</HeldUntil>
        <p className="text-sm whitespace-pre-line text-muted tabular-nums">
          {payment?.text ?? PAYMENT_PENDING}
        </p>
        <GiveBack />
        {dialog}
      </div>
    );
  }
  return (
    <div className={heldClass}>
      <div>
        <HeldUntil
          {...held}
          note={begun && <span className="md:hidden">{` · ${begun.price}`}</span>}
        />
        <div className="flex flex-wrap justify-between gap-x-4">
          {begun && children}
          <GiveBack />
        </div>
      </div>
      <div className={rowClass}>
        {begun && (
          <p className="tabular-nums max-md:hidden">
            <strong className="block text-lg leading-tight">{begun.price}</strong>
            <span className="text-sm text-muted">{begun.what}</span>
          </p>
        )}
        {begun ? <ContinuePayment begun={begun} className={bigClass} /> : children}
      </div>
      {dialog}
    </div>
  );
}

function GiveBack() {
  return (
    <IntentForm intent="stop-paying" preventScrollReset className="justify-self-start">
      <SubmitButton
        variant="quiet"
        pendingLabel="Giving it back…"
        className="link border-0! px-0! text-sm"
      >
        Give the spot back
      </SubmitButton>
    </IntentForm>
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
