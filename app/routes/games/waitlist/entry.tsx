import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { UNANSWERED_TEXT } from "#app/features/waitlist/rules.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { FormKey } from "#app/forms/form-key.tsx";
import { Shown } from "#app/forms/shown.tsx";
import { resultOf } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { HeldUntil } from "#app/routes/credits/held-until.tsx";
import { DialogTrigger, Dialog } from "#app/ui/dialog.tsx";
import { Changes, LeaveWaitlist, EntryTerms } from "#app/routes/waitlist/entry-parts.tsx";
import {
  type BarProps,
  bigClass,
  heldClass,
  type OwnProps,
  participationIn,
  WaitDialog,
} from "./bar.tsx";

const OWN_ENTRY = {
  offered: Offer,
  unanswered: Unanswered,
  changed: Changed,
};

/** What the bar says of the viewer's place on the waitlist. */
export default function OwnEntry({
  state,
  ...props
}: OwnProps & { state: keyof typeof OWN_ENTRY }): ReactNode {
  const Bar = OWN_ENTRY[state];
  return <Bar {...props} />;
}

function Changed({ game, entry, result }: OwnProps) {
  const terms = game.waitlist?.terms;
  return (
    <>
      <p className="font-bold">{entry.changed}</p>
      <DialogTrigger dialog="waitlist" variant="primary" className="whitespace-nowrap">
        Look and agree
      </DialogTrigger>
      {terms && (
        <WaitDialog
          game={game}
          terms={terms}
          entry={entry}
          title={entry.changed ?? ""}
          result={resultOf(result, "wait")}
        />
      )}
    </>
  );
}

function Unanswered({ game, entry }: OwnProps) {
  return (
    <>
      <p className="font-bold">{UNANSWERED_TEXT}</p>
      <IntentForm intent="wait" preventScrollReset>
        <FormKey />
        <input type="hidden" name="mode" value={entry.mode} />
        <input type="hidden" name="until" value={entry.untilHours} />
        <input type="hidden" name="priceShown" value={game.price.credits} />
        <Shown facts={game.waitlist?.terms?.shown} />
        <SubmitButton variant="primary" size="lg" className={bigClass}>
          Ask me again
        </SubmitButton>
      </IntentForm>
    </>
  );
}

/** A held spot: in the bar, and in a dialog for those who come from the email. */
function Offer({ game, entry, result }: OwnProps) {
  const [query] = useSearchParams();
  const balance = game.balance && (
    <p className="text-sm text-muted tabular-nums large:hidden">{game.balance}</p>
  );
  const answers = (
    <div>
      <TakeForm game={game} entry={entry} result={result} />
      <DeclineForm entry={entry} />
    </div>
  );
  return (
    // Without JavaScript the open dialog is part of the page, which then must not repeat it.
    <div className={`${heldClass} [&:has(dialog[open]:not(:modal))>:not(dialog)]:hidden`}>
      <div>
        <HeldUntil {...entry.offer!}>{HELD}</HeldUntil>
        {balance}
      </div>
      {answers}
      {query.get("offer") === "1" && (
        <Dialog id="offer" title={HELD} open={!result}>
          <div className="grid gap-3">
            <div>
              <p translate="no" className="font-bold">
                {game.venue.name}
              </p>
              <HeldUntil {...entry.offer!}>{`${game.shortDate}, ${game.start}`}</HeldUntil>
              {balance}
            </div>
            {answers}
          </div>
        </Dialog>
      )}
    </div>
  );
}

const HELD = "A spot is held for you";

/** What the bar has no room for: what the place means, and the way off the list. */
export function EntryDetails({ game, result }: BarProps): ReactNode {
  const entry = game.waitlist?.entry;
  switch (participationIn(game)) {
    case "unanswered":
      return (
        <>
          <FormErrors result={resultOf(result, "wait")} />
          <p className="tabular-nums">
            {`${entry!.position} on the waitlist. We ask you again once you say so, and nothing is taken by itself.`}
          </p>
          <LeaveWaitlist gameId={game.id} entry={entry!} />
        </>
      );
    case "changed":
      return (
        <>
          <p className="tabular-nums">
            {`${entry!.position} on the waitlist, and keep your place. Nothing is taken until you agree again.`}
          </p>
          <Changes changes={entry!.changes} />
        </>
      );
    case "waiting":
      return <EntryTerms entry={entry!} />;
    default:
      return null;
  }
}

function TakeForm({ game, entry, result }: OwnProps) {
  const asks = resultOf(result, "take-offer")?.confirms;
  return (
    <IntentForm intent="take-offer" preventScrollReset>
      <FormKey />
      <input type="hidden" name="priceShown" value={game.price.credits} />
      <Shown facts={game.shown} />
      <input type="hidden" name="overlap" value={asks ?? "ask"} />
      <SubmitButton variant="primary" size="lg" pendingLabel="Joining…" wide className={bigClass}>
        {asks ? "Take it anyway" : entry.take}
      </SubmitButton>
    </IntentForm>
  );
}

function DeclineForm({ entry }: Pick<OwnProps, "entry">) {
  return (
    <IntentForm
      intent="leave-waitlist"
      preventScrollReset
      className="flex flex-wrap items-center gap-x-1 text-sm text-muted"
    >
      <Shown facts={entry.shown} />
      <SubmitButton
        variant="quiet"
        pendingLabel="Leaving…"
        className="link border-0! px-0! text-sm"
      >
        No thanks
      </SubmitButton>
      takes you off the waitlist.
    </IntentForm>
  );
}
