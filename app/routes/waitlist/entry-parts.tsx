import { Link } from "react-router";
import { Shown } from "#app/forms/shown.tsx";
import { Dialog, DialogClose, DialogTrigger } from "#app/ui/dialog.tsx";
import type { ReactNode } from "react";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import type { EntryView } from "./view.server.ts";

interface LeaveProps {
  gameId: string;
  entry: Pick<EntryView, "shown">;
}

/** `name`: the game's, if several have the same button. */
export function LeaveWaitlist({ name, ...leave }: LeaveProps & { name?: ReactNode }) {
  return (
    <>
      <DialogTrigger dialog={leaveDialog(leave)}>Leave waitlist {name}</DialogTrigger>
      <LeaveDialog {...leave} />
    </>
  );
}

export const leaveDialog = ({ gameId }: Pick<LeaveProps, "gameId">) => `leave-${gameId}`;

/** A confirmation: the place is lost for good. */
export function LeaveDialog({ gameId, entry }: LeaveProps) {
  const dialog = leaveDialog({ gameId });
  return (
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
