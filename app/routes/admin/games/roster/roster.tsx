import { Fragment, type ReactNode } from "react";
import { isSeatPaymentOpen } from "#app/features/roster/unpaid-rules.ts";
import { spotsText } from "#app/features/games/rules.ts";
import { FormKey } from "#app/forms/form-key.tsx";
import { fieldProps, resultOf } from "#app/forms/form-result.ts";
import { useCloseWhenDone } from "#app/forms/use-close-when-done.ts";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { Part } from "#app/routes/admin/page.tsx";
import type { LiveGame } from "#app/live/live-stream.ts";
import { ButtonLink, buttonClass } from "#app/ui/button.tsx";
import { DialogClose, DialogTrigger, Dialog } from "#app/ui/dialog.tsx";
import { TextAreaField, TextField } from "#app/ui/field.tsx";
import { FileLinks } from "#app/ui/file-links.tsx";
import { Rolling } from "#app/ui/rolling.tsx";
import { useElapsed } from "#app/ui/use-elapsed.ts";
import { AddPlayer } from "./add-player.tsx";
import { FormerPlayers } from "./former-players.tsx";
import { ResultForm } from "./result-form.tsx";
import type { RosterResult } from "./roster-actions.server.ts";
import { RosterRow } from "./roster-row.tsx";
import type { Roster, RosterPlayer } from "#app/routes/admin/games/game-view.server.ts";
import { useTaps } from "./use-taps.ts";
import { MESSAGE_MAX, SUBJECT_MAX } from "#app/features/organise/rules.ts";

type RosterProps = { roster: Roster; result: RosterResult | undefined };
type Live = {
  /** Newer than the roster, until that is read again. */
  live?: LiveGame | null | undefined;
};

type GameRosterProps = RosterProps &
  Live & {
    viewerId: string;
    /** What else is done with the game, beside the message to all. */
    children: ReactNode;
  };

/** On match day the players come first; what can be done with all of them follows. */
export function GameRoster({ children, ...props }: GameRosterProps) {
  const { result, roster: loaded, viewerId, live } = props;
  const { roster, statuses, tap } = useTaps(loaded, viewerId);
  const { players, former, isOn, canMark, canRecord } = roster;
  const isCalledOff = former.some((player) => player.isCalledOff);
  const hasStarted = useElapsed(canMark ? roster.secondsToKickOff : Infinity);
  const actions = (
    <div className="flex flex-wrap gap-2">
      {roster.reached > 0 && (
        <MessageDialog
          key={roster.messageId}
          roster={roster}
          result={resultOf(result, "message")}
        />
      )}
      {children}
    </div>
  );
  return (
    <div className="grid min-w-0 gap-8 lg:content-start">
      <Part
        title="Players"
        about={isCalledOff ? null : <Counts roster={roster} live={live} />}
        aside={
          canMark && <CheckInRest roster={roster} result={resultOf(result, "check-in-rest")} />
        }
      >
        {!canMark && actions}
        {players.length === 0 && !isCalledOff && (
          <p className="text-muted">{isOn ? "Nobody is in yet." : "Nobody is in."}</p>
        )}
        {isOn && !canMark && players.length > 0 && (
          <p className="text-sm text-muted">Check-in opens an hour before kick-off.</p>
        )}
        <ul className="grid gap-2">
          {players.map((player) => (
            <RosterRow
              key={player.bookingId}
              roster={roster}
              player={player}
              canMiss={hasStarted}
              result={result?.values?.["bookingId"] === player.bookingId ? result : undefined}
              status={statuses[player.bookingId]}
              onTap={tap}
            />
          ))}
        </ul>
        {roster.paidByHand && (
          <p className="tabular-nums">
            Paid by hand: <strong>{roster.paidByHand}</strong>
          </p>
        )}
        {roster.pendingCash && !isCalledOff && (
          <p className="font-semibold text-warn tabular-nums">{roster.pendingCash}</p>
        )}
        <FormerPlayers roster={roster} former={former} />
        {(players.length > 0 || isCalledOff) && <ListActions roster={roster} />}
        {canMark && actions}
        {isOn && <AddPlayer roster={roster} result={resultOf(result, "add", "sign-up-link")} />}
      </Part>
      {canRecord && players.length > 0 && (
        <ResultForm
          key={roster.result?.version ?? 0}
          roster={roster}
          result={resultOf(result, "result")}
        />
      )}
    </div>
  );
}

/** Names those whom it checks in, so that nobody who came later is checked in unseen. */
function CheckInRest({ roster, result }: RosterProps) {
  const rest = roster.players.filter(({ attendance }) => attendance === null);
  const dialog = "check-in-rest";
  useCloseWhenDone(dialog, ["check-in-rest"], result !== undefined);
  if (rest.length === 0) return null;
  const count = rest.length === 1 ? "1 player" : `${rest.length} players`;
  return (
    <>
      <DialogTrigger dialog={dialog}>Check in the rest</DialogTrigger>
      <Dialog id={dialog} title={`Check in ${count}?`} open={result}>
        <IntentForm
          intent="check-in-rest"
          hidden={{ bookingIds: rest.map(({ bookingId }) => bookingId).join() }}
          result={result}
          action={roster.path}
          preventScrollReset
        >
          <FormKey />
          <p>{rest.map(({ name }) => name).join(", ")}</p>
          <p className="text-muted">Those who are marked already stay as they are.</p>
          <div className="flex flex-wrap justify-end gap-3 max-md:*:grow">
            <DialogClose dialog={dialog}>Not yet</DialogClose>
            <SubmitButton variant="primary">Check in {count}</SubmitButton>
          </div>
        </IntentForm>
      </Dialog>
    </>
  );
}

function Counts({ roster, live }: Pick<RosterProps, "roster"> & Live) {
  const { players, held, isOn } = roster;
  const { joined, spots } = live ?? { joined: players.length, spots: roster.spots };
  const count = (is: (player: RosterPlayer) => boolean) => players.filter(is).length;
  const here = count(({ attendance }) => attendance === "CheckedIn");
  const absent = players.filter(({ attendance }) => attendance === "NoShow");
  const excused = absent.filter(({ isExcused }) => isExcused).length;
  const noShows = absent.length - excused;
  const unpaid = count(isSeatPaymentOpen);
  // Fits one line on a phone.
  const counts = [here > 0 ? `${here}/${joined} checked in` : `${joined} in`];
  if (isOn) counts.push(spotsText(spots), ...held);
  if (noShows > 0) counts.push(`${noShows} no-show${noShows > 1 ? "s" : ""}`);
  if (excused > 0) counts.push(`${excused} excused`);
  if (unpaid > 0) counts.push(`${unpaid} unpaid`);
  if (!live) return counts.join(" · ");
  return counts.map((text, n) => (
    <Fragment key={n}>
      {n > 0 && " · "}
      <Rolling text={text} isLive={n < FOLLOWED} />
    </Fragment>
  ));
}

const FOLLOWED = 2;

function ListActions({ roster }: Pick<RosterProps, "roster">) {
  return (
    <div className="flex flex-wrap gap-3">
      {roster.players.length > 0 && (
        <>
          {roster.canMakeTeams && <MakeTeams roster={roster} />}
          <ButtonLink to={`${roster.path}/teams`}>Teams</ButtonLink>
          <ButtonLink to={`${roster.path}/print`}>Print</ButtonLink>
        </>
      )}
      <FileLinks
        files={{ xlsx: `${roster.path}/players.xlsx`, csv: `${roster.path}/players.csv` }}
        name="the players"
        className={buttonClass({})}
      />
    </div>
  );
}

function MakeTeams({ roster }: Pick<RosterProps, "roster">) {
  // "Teams" is for who wants to look at them first.
  const hidden = { version: roster.teamsVersion, count: 2, next: "roster" };
  return (
    <IntentForm intent="make" hidden={hidden} action={`${roster.path}/teams`} className="">
      <FormKey />
      <SubmitButton pendingLabel="Making…">Make and publish two teams</SubmitButton>
    </IntentForm>
  );
}

function MessageDialog({ roster, result }: RosterProps) {
  const dialog = "message-all";
  return (
    <>
      <DialogTrigger dialog={dialog}>Message all</DialogTrigger>
      <Dialog id={dialog} title="Message all" open={result}>
        <IntentForm
          intent="message"
          once={{ messageId: roster.messageId }}
          result={result}
          fieldId={messageFieldId}
          action={roster.path}
          preventScrollReset
        >
          <p>{roster.message.effect}</p>
          <TextField
            {...fieldProps(result, "subject")}
            id={messageFieldId("subject")}
            label="Subject"
            maxLength={SUBJECT_MAX}
            required
          />
          <TextAreaField
            {...fieldProps(result, "message")}
            id={messageFieldId("message")}
            label="Message"
            maxLength={MESSAGE_MAX}
            required
          />
          <label className="flex min-h-12 items-center gap-3 font-semibold">
            <input
              type="checkbox"
              name="isPinned"
              value="1"
              defaultChecked={result?.values?.["isPinned"] === "1"}
              className="size-5"
            />
            Pin it at the top of the chat
          </label>
          <SubmitButton variant="primary" pendingLabel="Sending…">
            {roster.message.send}
          </SubmitButton>
        </IntentForm>
      </Dialog>
    </>
  );
}

const messageFieldId = (name: string) => `message-${name}`;
