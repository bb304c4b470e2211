import { useState } from "react";
import { MESSAGE_MAX, SUBJECT_MAX } from "#app/features/bookings/rules.ts";
import { FocusedBox, FormErrors } from "#app/forms/form-errors.tsx";
import { FormKey } from "#app/forms/form-key.tsx";
import { fieldProps, resultOf } from "#app/forms/form-result.ts";
import { IntentForm, SubmitButton } from "#app/routes/admin/intent-form.tsx";
import { Part, panelClass } from "#app/routes/admin/page.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { ButtonLink, buttonClass } from "#app/ui/button.tsx";
import { DialogTrigger, Dialog } from "#app/ui/dialog.tsx";
import { EmailText } from "#app/ui/email-text.tsx";
import { TextAreaField, TextField } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { ResultForm } from "./result-form.tsx";
import type { Choice, RosterResult, Unconfirmed } from "./roster-actions.server.ts";
import { RosterRow } from "./roster-row.tsx";
import type { Roster, RosterPlayer } from "./game-view.server.ts";
import type { RowChange } from "./use-tap.ts";

type RosterProps = { roster: Roster; result: RosterResult | undefined };

export function GameRoster({ roster: loaded, result }: RosterProps) {
  const [roster, change] = useTapped(loaded);
  const { players, isOn, canMark, canRecord } = roster;
  return (
    <div className="grid gap-8">
      <Part title="Players" about={countsOf(roster)}>
        {players.length > 0 && (
          <RosterActions roster={roster} result={resultOf(result, "message")} />
        )}
        {players.length === 0 && (
          <p className="text-muted">{isOn ? "Nobody is in yet." : "Nobody is in."}</p>
        )}
        {isOn && !canMark && players.length > 0 && (
          <p className="text-sm text-muted">Check-in opens an hour before kick-off.</p>
        )}
        <ul className="grid gap-3">
          {players.map((player) => (
            <RosterRow
              key={player.bookingId}
              roster={roster}
              player={player}
              removal={resultOf(result, "remove")}
              onChange={(to) => change(player.bookingId, to)}
            />
          ))}
        </ul>
        {isOn && <AddPlayer roster={roster} result={resultOf(result, "add")} />}
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

/** The loaded roster with the taps since. */
function useTapped(loaded: Roster) {
  const [taps, setTaps] = useState({ of: loaded, by: {} as Record<string, RowChange> });
  const by = taps.of === loaded ? taps.by : {};
  const players = loaded.players.map((player) => ({ ...player, ...by[player.bookingId] }));
  const change = (bookingId: string, to: RowChange) =>
    setTaps(({ of, by: before }) => {
      const known = of === loaded ? before : {};
      return { of: loaded, by: { ...known, [bookingId]: { ...known[bookingId], ...to } } };
    });
  return [{ ...loaded, players }, change] as const;
}

function countsOf({ players, spots, held, isOn }: Roster): string {
  const count = (is: (player: RosterPlayer) => boolean) => players.filter(is).length;
  const here = count(({ attendance }) => attendance === "CheckedIn");
  const noShows = count(({ attendance }) => attendance === "NoShow");
  const unpaid = count(({ paymentStatus }) => paymentStatus === "Unpaid");
  const counts = [`${players.length} in`];
  if (isOn) counts.push(`${spots} spots left`);
  if (isOn && held > 0) counts.push(`${held} held for the waitlist`);
  if (here > 0) counts.push(`${here} checked in`);
  if (noShows > 0) counts.push(`${noShows} no-show${noShows > 1 ? "s" : ""}`);
  if (unpaid > 0) counts.push(`${unpaid} unpaid`);
  return counts.join(" · ");
}

function RosterActions({ roster, result }: RosterProps) {
  return (
    <div className="flex flex-wrap gap-3">
      <MessageDialog key={roster.messageId} roster={roster} result={result} />
      <ButtonLink to={`${roster.path}/print`}>Print</ButtonLink>
      <a href={`${roster.path}/players.csv`} download className={buttonClass({})}>
        CSV
      </a>
    </div>
  );
}

function MessageDialog({ roster, result }: RosterProps) {
  const dialog = "message-all";
  const players = roster.players.length;
  return (
    <>
      <DialogTrigger dialog={dialog}>Message all</DialogTrigger>
      <Dialog id={dialog} title="Message all" open={result}>
        <IntentForm
          intent="message"
          hidden={{ messageId: roster.messageId }}
          result={result}
          fieldId={messageFieldId}
          action={roster.path}
        >
          <p>
            {players === 1 ? "1 player gets" : `${players} players get`} this as an email. It stays
            on the game's page and in its chat, for players who join later too.
          </p>
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
            {players === 1 ? "Send to 1 player" : `Send to ${players} players`}
          </SubmitButton>
        </IntentForm>
      </Dialog>
    </>
  );
}

const messageFieldId = (name: string) => `message-${name}`;

/** Adds a player by email or name; shows choices if several match. */
function AddPlayer({ roster, result }: RosterProps) {
  return (
    <div className={panelClass}>
      <h4 className="font-bold">Add a player</h4>
      <FormErrors result={result} />
      <IntentForm
        key={`${roster.players.length} ${result?.values?.who}`}
        intent="add"
        hidden={{ playerId: "" }}
        action={roster.path}
        className="grid items-end gap-3 md:grid-cols-[1fr_auto]"
      >
        <FormKey />
        <TextField
          {...fieldProps(result, "who")}
          label="Email or name"
          autoComplete="off"
          autoCapitalize="none"
          maxLength={255}
          required
        />
        <SubmitButton pendingLabel="Adding…" className="md:min-h-12">
          Add player
        </SubmitButton>
      </IntentForm>
      <p className="text-sm text-muted">
        The seat is unpaid: no credits are taken. Mark it paid when it is settled.
      </p>
      {result?.choices && <Choices roster={roster} choices={result.choices} />}
      {result?.unconfirmed && <GiveAway roster={roster} unconfirmed={result.unconfirmed} />}
    </div>
  );
}

const WHO = "Who is it?";

/** Takes the focus: it is below the button that asked. */
function Choices({ roster, choices }: { roster: Roster; choices: Choice[] }) {
  return (
    <FocusedBox of={choices} label={WHO}>
      <h5 className="font-semibold">{WHO}</h5>
      <ul className="mt-2 grid gap-2">
        {choices.map(({ playerId, name, email, pictureUrl }) => (
          <li key={playerId} className="flex items-center gap-3">
            <Avatar src={pictureUrl} name={name} />
            <p className="min-w-0 grow wrap-anywhere">
              <strong>{name}</strong>
              <br />
              <span className="text-sm text-muted">
                <EmailText>{email}</EmailText>
              </span>
            </p>
            <IntentForm intent="add" hidden={{ playerId }} action={roster.path}>
              <FormKey />
              <SubmitButton pendingLabel="Adding…">
                Add <span className="sr-only">{name}</span>
              </SubmitButton>
            </IntentForm>
          </li>
        ))}
      </ul>
    </FocusedBox>
  );
}

type GiveAwayProps = { roster: Roster; unconfirmed: Unconfirmed };

/** A confirmation: the free spot belongs to somebody who waits. Takes the focus. */
function GiveAway({ roster, unconfirmed }: GiveAwayProps) {
  const { player, next } = unconfirmed;
  return (
    <FocusedBox of={unconfirmed} label="Somebody is waiting">
      <Notice tone="warn" title={`${next.name} is next on the waitlist`}>
        <p>The free spot is theirs. If you add {player.name}, they go on waiting.</p>
        <IntentForm
          intent="add"
          hidden={{ playerId: player.playerId, nextId: next.playerId }}
          action={roster.path}
          className="mt-3"
        >
          <FormKey />
          <SubmitButton pendingLabel="Adding…" className="justify-self-start">
            Add {player.name} anyway
          </SubmitButton>
        </IntentForm>
      </Notice>
    </FocusedBox>
  );
}
