import { FormKey } from "#app/forms/form-key.tsx";
import type { FormResult } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { Shown } from "#app/forms/shown.tsx";
import { DialogClose } from "#app/ui/dialog.tsx";

interface CancelFormProps {
  /** The one it is in. */
  dialog: string;
  booking: { id: string; quote: string; shown: string | null };
  holdsForFriend: boolean;
  result?: FormResult | undefined;
}

/** What comes back, then the two buttons. */
export function CancelForm({ dialog, booking, holdsForFriend, result }: CancelFormProps) {
  return (
    <>
      <p className="mt-2 text-lg">{booking.quote}</p>
      <p className="mt-2 text-muted">Your spot opens up for someone else right away.</p>
      {holdsForFriend && (
        <p className="mt-2 text-muted">
          The spot you hold for a friend does too, and its link stops working.
        </p>
      )}
      <IntentForm
        intent="cancel"
        hidden={{ bookingId: booking.id }}
        result={result}
        className="mt-6 flex flex-wrap justify-end gap-3 max-sm:*:grow"
      >
        <FormKey />
        <Shown facts={booking.shown} />
        <DialogClose dialog={dialog}>Keep my spot</DialogClose>
        <SubmitButton variant="danger" pendingLabel="Cancelling…">
          Cancel booking
        </SubmitButton>
      </IntentForm>
    </>
  );
}
