import { Form, useNavigation } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { DialogClose, DialogTrigger, Dialog } from "#app/ui/dialog.tsx";
import { FormKey } from "#app/forms/form-key.tsx";
import type { TicketWords } from "./ticket-words.ts";

/** Asks before a booking is cancelled, and says exactly what that gives back. */
export function CancelDialog({ ticket, quote }: { ticket: TicketWords; quote: string }) {
  const dialog = `cancel-${ticket.id}`;
  const isCancelling = useNavigation().formData?.get("bookingId") === ticket.id;
  return (
    <>
      <DialogTrigger dialog={dialog} variant="quiet">
        Cancel <span className="sr-only">{`${ticket.venueName}, ${ticket.weekday}`}</span>
      </DialogTrigger>
      <Dialog id={dialog} title="Cancel this booking?">
        <p className="font-semibold">
          {ticket.venueName}, {ticket.monthDay}, {ticket.start}
        </p>
        <p className="mt-2 text-lg">{quote}</p>
        <p className="mt-2 text-muted">Your spot is free for someone else at once.</p>
        <Form method="post" className="mt-6 flex flex-wrap justify-end gap-3">
          <input type="hidden" name="intent" value="cancel" />
          <FormKey />
          <input type="hidden" name="bookingId" value={ticket.id} />
          <DialogClose dialog={dialog}>Keep my spot</DialogClose>
          <Button variant="danger" pending={isCancelling} pendingLabel="Cancelling…">
            Cancel booking
          </Button>
        </Form>
      </Dialog>
    </>
  );
}
