import { Link } from "react-router";
import { Shown } from "#app/forms/shown.tsx";
import type { Button } from "#app/ui/button.tsx";
import { Dialog, DialogClose, DialogTrigger } from "#app/ui/dialog.tsx";
import type { ComponentProps, ReactNode } from "react";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import type { EntryView } from "./view.server.ts";

interface LeaveProps extends Pick<ComponentProps<typeof Button>, "size" | "className"> {
  gameId: string;
  entry: Pick<EntryView, "shown">;
  /** The game's name, if several have the same button. */
  name?: ReactNode;
}

/** A confirmation: the place is lost for good. */
export function LeaveWaitlist({ gameId, entry, name, ...button }: LeaveProps) {
  const dialog = `leave-${gameId}`;
  return (
    <>
      <DialogTrigger dialog={dialog} {...button}>
        Leave waitlist {name}
      </DialogTrigger>
      <Dialog id={dialog} title="Leave the waitlist?">
        <p>Your place is lost then. If you join again, you are last.</p>
        <IntentForm
          intent="leave-waitlist"
          hidden={{ gameId }}
          preventScrollReset
          className="mt-6 flex flex-wrap justify-end gap-3"
        >
          <Shown facts={entry.shown} />
          <DialogClose dialog={dialog}>Keep my place</DialogClose>
          <SubmitButton variant="danger" pendingLabel="Leaving…">
            Leave for good
          </SubmitButton>
        </IntentForm>
      </Dialog>
    </>
  );
}

/** What happens when a spot opens, or what keeps it from the player. */
export function EntryTerms({ entry }: { entry: Pick<EntryView, "what" | "buysCredits"> }) {
  return (
    <p className="text-sm text-muted tabular-nums">
      {entry.what}
      {entry.buysCredits && " "}
      {entry.buysCredits && (
        <Link to="/wallet" className="link py-4 font-semibold">
          Buy credits
        </Link>
      )}
    </p>
  );
}

/** Changes of the game since the player agreed to the place. */
export function Changes({ changes = [] }: { changes?: EntryView["changes"] | undefined }) {
  return changes.map(({ label, from, to }) => (
    <p key={label} className="text-sm tabular-nums">
      {`${label}: ${from} → `}
      <strong>{to}</strong>
    </p>
  ));
}
