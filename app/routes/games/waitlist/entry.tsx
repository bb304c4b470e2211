import { useSearchParams } from "react-router";
import { UNANSWERED_TEXT } from "#app/features/waitlist/rules.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { FormKey } from "#app/forms/form-key.tsx";
import { Shown } from "#app/forms/shown.tsx";
import { resultOf } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { DialogTrigger, Dialog } from "#app/ui/dialog.tsx";
import { Changes, LeaveWaitlist, EntryTerms } from "#app/routes/waitlist/entry-parts.tsx";
import { bigClass, Full, type OwnProps, Pair, WaitDialog, type BarProps } from "./bar.tsx";

export const OWN_ENTRY = {
  offered: Offer,
  unanswered: Unanswered,
  changed: Changed,
  waiting: OnWaitlist,
};

function OnWaitlist({ game, entry, result }: OwnProps) {
  const [query] = useSearchParams();
  const isOver = query.get("offer") === "1";
  return (
    <div className="grid grow gap-3">
      <div className="flex items-center justify-between gap-4">
        <p>
          {isOver && <span className="block font-semibold text-danger">This offer is over.</span>}
          <strong className="text-lg tabular-nums">{entry.position}</strong> on the waitlist
        </p>
        <DialogTrigger dialog="waitlist">Change</DialogTrigger>
      </div>
      <EntryTerms entry={entry} />
      <Pair>
        <Full />
        <LeaveWaitlist gameId={game.id} entry={entry} size="lg" className={bigClass} />
      </Pair>
      {game.waitlist?.terms && (
        <WaitDialog
          game={game}
          terms={game.waitlist.terms}
          entry={entry}
          title="Change your place"
          result={resultOf(result, "change-wait")}
        />
      )}
    </div>
  );
}

function Changed({ game, entry, result }: OwnProps) {
  const terms = game.waitlist?.terms;
  return (
    <div className="grid grow gap-3">
      <p>
        <strong className="block text-lg">{entry.changed}</strong>
        <span className="text-sm text-muted tabular-nums">
          {entry.position} on the waitlist, and keep your place. Nothing is taken until you agree
          again.
        </span>
      </p>
      <div className="empty:hidden">
        <Changes changes={entry.changes} />
      </div>
      <Pair>
        <LeaveWaitlist gameId={game.id} entry={entry} size="lg" className={bigClass} />
        <DialogTrigger dialog="waitlist" variant="primary" size="lg" className={bigClass}>
          Still want a spot
        </DialogTrigger>
      </Pair>
      {terms && (
        <WaitDialog
          game={game}
          terms={terms}
          entry={entry}
          title={entry.changed ?? ""}
          result={resultOf(result, "wait")}
        />
      )}
    </div>
  );
}

function Unanswered({ game, entry, result }: OwnProps) {
  return (
    <div className="grid grow gap-3">
      <FormErrors result={resultOf(result, "wait")} />
      <p>
        <strong className="block text-lg">{UNANSWERED_TEXT}</strong>
        <span className="text-sm text-muted tabular-nums">
          {entry.position} on the waitlist. We ask you again once you say so, and nothing is taken
          by itself.
        </span>
      </p>
      <Pair>
        <LeaveWaitlist gameId={game.id} entry={entry} size="lg" className={bigClass} />
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
      </Pair>
    </div>
  );
}

/** A held spot: in a dialog for those who come from the email, and in the bar. */
function Offer({ game, entry, result }: OwnProps) {
  const [query] = useSearchParams();
  const title = `A spot is held for you until ${entry.offeredUntil}`;
  const buttons = (
    <Pair>
      <DeclineForm entry={entry} />
      <TakeForm game={game} result={result} />
    </Pair>
  );
  const about = (
    <p className="text-sm text-muted tabular-nums">
      {entry.takes} {game.balance && `${game.balance}. `}“No thanks” takes you off the waitlist.
    </p>
  );
  return (
    // Without JavaScript the open dialog is part of the page, which then must not repeat it.
    <div className="grid grow gap-3 [&:has(dialog[open]:not(:modal))>:not(dialog)]:hidden">
      <div>
        <p className="text-lg font-bold tabular-nums">{title}</p>
        {about}
      </div>
      {buttons}
      {query.get("offer") === "1" && (
        <Dialog id="offer" title={title} open={!result}>
          <p className="font-semibold">
            {game.venue.name}, {game.shortDate}, {game.start}
          </p>
          <div className="mt-1 mb-6">{about}</div>
          {buttons}
        </Dialog>
      )}
    </div>
  );
}

function TakeForm({ game, result }: BarProps) {
  const asks = resultOf(result, "take-offer")?.confirms;
  return (
    <IntentForm intent="take-offer" preventScrollReset>
      <FormKey />
      <input type="hidden" name="priceShown" value={game.price.credits} />
      <Shown facts={game.shown} />
      <input type="hidden" name="overlap" value={asks ?? "ask"} />
      <SubmitButton variant="primary" size="lg" pendingLabel="Joining…" className={bigClass}>
        {asks ? "Take it anyway" : "Take it"}
      </SubmitButton>
    </IntentForm>
  );
}

function DeclineForm({ entry }: Pick<OwnProps, "entry">) {
  return (
    <IntentForm intent="leave-waitlist" preventScrollReset>
      <Shown facts={entry.shown} />
      <SubmitButton size="lg" pendingLabel="Leaving…" className={bigClass}>
        No thanks
      </SubmitButton>
    </IntentForm>
  );
}
