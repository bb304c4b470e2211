import type { ReactNode } from "react";
import { FocusedBox, FormErrors } from "#app/forms/form-errors.tsx";
import { FormKey } from "#app/forms/form-key.tsx";
import { fieldProps } from "#app/forms/form-result.ts";
import { Shown } from "#app/forms/shown.tsx";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { ConfirmationBox } from "#app/routes/admin/confirmation.tsx";
import { panelClass } from "#app/routes/admin/page.tsx";
import { QrCodePicture } from "#app/routes/responses/qr-code.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { EmailText } from "#app/ui/email-text.tsx";
import { TextField } from "#app/ui/field.tsx";
import { FieldToCopy } from "#app/ui/field-to-copy.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { CashFields } from "./cash-forms.tsx";
import type {
  Choice,
  OverMax,
  RosterResult,
  SignUpLink,
  Unconfirmed,
} from "./roster-actions.server.ts";
import type { Roster } from "#app/routes/admin/games/game-view.server.ts";

type RosterProps = { roster: Roster; result: RosterResult | undefined };

export function AddPlayer({ roster, result }: RosterProps) {
  return (
    <div className={panelClass}>
      <h3 className="text-base">Add a player</h3>
      <FormErrors result={result} />
      <IntentForm
        key={`${roster.players.length} ${result?.values?.who}`}
        intent="add"
        hidden={{ playerId: "" }}
        action={roster.path}
        preventScrollReset
        data-draft="none"
      >
        <FormKey />
        <Shown facts={roster.shown} />
        <TextField
          {...fieldProps(result, "who")}
          label="Email or name"
          autoComplete="off"
          autoCapitalize="none"
          maxLength={255}
          required
        />
        {roster.canMark && <IsHere result={result} />}
        <SeatPayment roster={roster} result={result} />
      </IntentForm>
      <WithoutAccount roster={roster} result={result} />
      {result?.choices && <Choices roster={roster} result={result} choices={result.choices} />}
      {result?.unconfirmed && (
        <GiveAway roster={roster} result={result} unconfirmed={result.unconfirmed} />
      )}
      {result?.overMax && <AddSpot roster={roster} result={result} overMax={result.overMax} />}
    </div>
  );
}

/** At the pitch the player stands beside the organiser. */
function IsHere({ result }: Pick<RosterProps, "result">) {
  const values = result?.values;
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input
        type="checkbox"
        name="isHere"
        value="1"
        defaultChecked={!values || values["isHere"] === "1"}
        className="size-5"
      />
      Check in at once
    </label>
  );
}

/** A button for each way to pay. The safe one is first: Enter presses it. */
function SeatPayment({ roster, result }: RosterProps) {
  const button = (payment: string, label: string) => (
    <SubmitButton
      name="payment"
      value={payment}
      pendingLabel="Adding…"
      className="sm:justify-self-start"
    >
      {label}
    </SubmitButton>
  );
  return (
    <>
      {/* On a phone one below the other, equally wide. */}
      <div className="grid gap-3 sm:flex sm:flex-wrap">
        {button("nothing", "Add unpaid")}
        {button("credits", `Add and take ${roster.charge}`)}
      </div>
      <fieldset className="grid gap-3 rounded-card border border-line p-4">
        <legend className="px-1 font-semibold">Paid by hand</legend>
        <CashFields roster={roster} result={result} />
        <ConfirmationBox confirmation={result?.unusualCash} pendingLabel="Adding…" />
        {button("cash", "Add as paid by hand")}
      </fieldset>
    </>
  );
}

/** What the button that answers a question does besides adding. */
function howText(roster: Roster, { values, paidByHand }: RosterResult): string {
  if (paidByHand) return `, ${paidByHand}`;
  return values?.["payment"] === "credits" ? ` and take ${roster.charge}` : " unpaid";
}

function choicesOf(result: RosterResult) {
  const {
    who = "",
    payment = "",
    amount = "",
    method = "",
    isHere = "",
    confirmed = "",
  } = result.values ?? {};
  const paid = payment || (confirmed ? "cash" : "nothing");
  return { who, payment: paid, amount, method, isHere, ...(confirmed && { confirmed }) };
}

function WithoutAccount({ roster, result }: RosterProps) {
  const link = result?.signUp;
  if (!link) return !result?.choices && <SignUpLinkForm roster={roster} label="No account yet?" />;
  // After a search in vain the error has the focus.
  if (result.fieldErrors) return <SignUp link={link} />;
  return (
    <FocusedBox of={link} label="No account yet?">
      <SignUp link={link} />
    </FocusedBox>
  );
}

/** Asks for the link, so that most visits of the page do not make one. */
function SignUpLinkForm({ roster, label }: { roster: Roster; label: string }) {
  return (
    <IntentForm
      intent="sign-up-link"
      action={roster.path}
      preventScrollReset
      className="justify-self-start"
    >
      <SubmitButton variant="quiet" pendingLabel="Making a link…">
        {label}
      </SubmitButton>
    </IntentForm>
  );
}

/** For somebody who just came along: link and QR code lead through sign-up to the game. */
function SignUp({ link: { address, qrCode } }: { link: SignUpLink }) {
  return (
    <div className="grid gap-4 rounded-card border border-line p-4">
      <div>
        <p className="font-semibold">No account yet?</p>
        <p className="text-muted">
          Let them scan this, or send the link. They sign up with their school email and are led
          back to this game, which they can join until kick-off. After it, add them here by name.
        </p>
      </div>
      <QrCodePicture code={qrCode} label="QR code of the sign-up link" />
      <FieldToCopy label="Sign-up link" value={address} noun="link" />
    </div>
  );
}

type Asked = { roster: Roster; result: RosterResult };

const WHO = "Who is it?";

/** Takes the focus, since it is below the button that asked. */
function Choices({ roster, result, choices }: Asked & { choices: Choice[] }) {
  return (
    <FocusedBox of={choices} label={WHO}>
      <h5 className="font-semibold">{WHO}</h5>
      <ul className="mt-2 grid gap-2">
        {choices.map(({ playerId, name, email, pictureUrl }) => (
          <li key={playerId} className="flex flex-wrap items-center gap-3">
            <Avatar src={pictureUrl} name={name} />
            <p className="min-w-0 grow basis-40 wrap-anywhere">
              <strong translate="no">{name}</strong>
              <br />
              <span translate="no" className="text-sm text-muted">
                <EmailText>{email}</EmailText>
              </span>
            </p>
            <IntentForm
              intent="add"
              // Where the addition fails, the field above then names the player who was chosen.
              hidden={{ playerId, ...choicesOf(result), who: email }}
              action={roster.path}
              preventScrollReset
              className="ml-auto"
            >
              <FormKey />
              <Shown facts={roster.shown} />
              <SubmitButton pendingLabel="Adding…">
                <span>
                  Add
                  <span className="sr-only">{` ${name}`}</span>
                  {howText(roster, result)}
                </span>
              </SubmitButton>
            </IntentForm>
          </li>
        ))}
        <li className="flex justify-end">
          <SignUpLinkForm roster={roster} label="None of these" />
        </li>
      </ul>
    </FocusedBox>
  );
}

/** A confirmation: the free spot belongs to somebody who waits. */
function GiveAway({ unconfirmed, ...asked }: Asked & { unconfirmed: Unconfirmed }) {
  const { player, next } = unconfirmed;
  return (
    <Confirmation
      {...{ ...asked, player, of: unconfirmed, confirmed: { nextId: next.playerId } }}
      label="Somebody is waiting"
      title={`${next.name} is next on the waitlist`}
    >
      The free spot is theirs. If you add {player.name}, they go on waiting.
    </Confirmation>
  );
}

/** A confirmation: after kick-off one more can play, in the place of a no-show too. */
function AddSpot({ overMax, ...asked }: Asked & { overMax: OverMax }) {
  const { player, raisedTo } = overMax;
  return (
    <Confirmation
      {...{ ...asked, player, of: overMax, confirmed: { raisedTo } }}
      label="The game is full"
      title="The game is full. Add anyway?"
    >
      {`Its max players become ${raisedTo}. Who is marked as a no-show stays on the list.`}
    </Confirmation>
  );
}

type ConfirmationProps = Asked & {
  player: Unconfirmed["player"];
  of: object;
  confirmed: Record<string, string | number>;
  label: string;
  title: string;
  children: ReactNode;
};

/** Takes the focus, since it is below the button that asked. */
function Confirmation(props: ConfirmationProps) {
  const { roster, result, player, of, confirmed, label, title, children } = props;
  return (
    <FocusedBox of={of} label={label}>
      <Notice tone="warn" title={title}>
        <p>{children}</p>
        <IntentForm
          intent="add"
          hidden={{ playerId: player.playerId, ...confirmed, ...choicesOf(result) }}
          action={roster.path}
          preventScrollReset
          className="mt-3"
        >
          <FormKey />
          <Shown facts={roster.shown} />
          <SubmitButton pendingLabel="Adding…" className="justify-self-start">
            {`Add ${player.name} anyway${howText(roster, result).replace(/^ unpaid/, ", unpaid")}`}
          </SubmitButton>
        </IntentForm>
      </Notice>
    </FocusedBox>
  );
}
