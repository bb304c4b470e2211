import { Form } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { DialogClose, DialogTrigger, Dialog } from "#app/ui/dialog.tsx";
import type { ParkedWords } from "./parked-words.ts";
import { headingId, SettleFields, settlePath, usePendingIntent } from "./settle-fields.tsx";

/** Asks before an event is put aside, and says what that means. */
export function SetAsideDialog({ payment }: { payment: ParkedWords }) {
  const dialog = `set-aside-${payment.id}`;
  const isPending = usePendingIntent(payment.id) === "dismiss";
  return (
    <>
      <DialogTrigger
        dialog={dialog}
        variant="quiet"
        className="grow basis-0"
        aria-describedby={headingId(payment.id)}
      >
        Set aside
      </DialogTrigger>
      <Dialog id={dialog} title="Set this aside?">
        <p className="font-semibold">
          {payment.kind}
          {payment.amount && `, ${payment.amount}`}
        </p>
        <p className="mt-2">
          Nobody gets credits for it, and it leaves this list for good. Do it when the money was
          refunded at Stripe or nothing is owed.
        </p>
        <Form
          method="post"
          action={settlePath(payment.id)}
          preventScrollReset
          className="mt-6 flex flex-wrap justify-end gap-3"
        >
          <SettleFields intent="dismiss" eventId={payment.id} />
          <DialogClose dialog={dialog}>Keep it</DialogClose>
          <Button variant="danger" pending={isPending} pendingLabel="Setting aside…">
            Set aside
          </Button>
        </Form>
      </Dialog>
    </>
  );
}
