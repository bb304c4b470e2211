import { Form, useNavigation } from "react-router";
import { Button, ButtonLink, buttonClass } from "#app/ui/button.tsx";
import { PasswordField, TextField } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { type FormAnswer, FormProblem, fieldOf } from "./form-problem.tsx";
import type { ShownSetup, TwoFactorAnswer } from "./two-factor-answer.ts";

interface FormProps {
  email: string;
  answer: FormAnswer | undefined;
}

/** Asks for the password again: a borrowed session must not bind the account to another phone. */
export function StartForm({ email, answer }: FormProps) {
  return (
    <Form method="post" noValidate className="grid gap-4">
      <Password email={email} answer={answer} />
      <FormProblem answer={answer} />
      <Submit intent="start">Set up</Submit>
    </Form>
  );
}

interface ConfirmFormProps {
  setup: ShownSetup;
  answer: TwoFactorAnswer;
  /** It replaces a phone. */
  isMove: boolean;
}

/** The secret as a picture, as text and as a link, and the code that proves it has arrived. */
export function ConfirmForm({ setup, answer, isMove }: ConfirmFormProps) {
  return (
    <Form method="post" noValidate className="grid gap-4">
      <input type="hidden" name="setup" value={setup.sealed} />
      <QrCode setup={setup} />
      <div className="grid gap-2 rounded-card bg-surface p-4 shadow-card">
        <p>
          No camera? Type this key into the app, or{" "}
          <a href={setup.address} className="link">
            open it on this device
          </a>
          .
        </p>
        <p className="font-mono text-base break-words select-all">{setup.key}</p>
      </div>
      <CodeField answer={answer} hint="6 digits" inputMode="numeric" />
      <FormProblem answer={answer} />
      <Submit intent="confirm">{isMove ? "Use this phone" : "Turn on"}</Submit>
    </Form>
  );
}

// Black on white whatever the theme: not every app reads it the other way round.
function QrCode({ setup: { squares, size } }: { setup: ShownSetup }) {
  return (
    <svg
      role="img"
      aria-label="QR code for your authenticator app"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="w-full max-w-64 justify-self-center rounded-card"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={squares} fill="#000" />
    </svg>
  );
}

interface RecoveryCodesProps {
  codes: string[];
  goOnTo: string;
}

export function RecoveryCodes({ codes, goOnTo }: RecoveryCodesProps) {
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join("\n")}\n`)}`;
  return (
    <>
      <Notice tone="warn" title="Keep them somewhere safe">
        They are shown only now. Each one works once, and new ones replace them all.
      </Notice>
      <ul
        aria-label="Recovery codes"
        className="grid gap-2 rounded-card bg-surface p-5 font-mono text-sm shadow-card"
      >
        {codes.map((code) => (
          <li key={code} className="break-words select-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="grid gap-3">
        <a
          href={file}
          download="recovery-codes.txt"
          className={buttonClass({ size: "lg", wide: true })}
        >
          Save as a file
        </a>
        <ButtonLink to={goOnTo} variant="primary" size="lg" wide>
          Done
        </ButtonLink>
      </div>
    </>
  );
}

interface ManageFormProps extends FormProps {
  factor: { since: string; codesLeft: number };
  isRequired: boolean;
}

/** What can be done while it is on, each with password and code. */
export function ManageForm({ factor, isRequired, email, answer }: ManageFormProps) {
  const { since, codesLeft } = factor;
  return (
    <>
      <Notice tone="good" title={`On since ${since}`}>
        {codesLeft} recovery {codesLeft === 1 ? "code" : "codes"} left.
      </Notice>
      <Form method="post" noValidate className="grid gap-4">
        <Password email={email} answer={answer} />
        <CodeField answer={answer} hint="From your app, or one of your recovery codes." />
        <FormProblem answer={answer} />
        <Submit intent="recovery-codes">Make new recovery codes</Submit>
        <Submit intent="move" variant="secondary">
          Move to another phone
        </Submit>
        {isRequired ? (
          <p className="text-muted">Admins need two-factor sign-in here, so it stays on.</p>
        ) : (
          <Submit intent="turn-off" variant="danger">
            Turn off
          </Submit>
        )}
      </Form>
    </>
  );
}

function Password({ email, answer }: FormProps) {
  return (
    <>
      {/* For password managers, which keep passwords by name. */}
      <input hidden readOnly name="username" autoComplete="username" value={email} />
      <PasswordField
        {...fieldOf(answer, "password")}
        label="Your password"
        autoComplete="current-password"
        required
      />
    </>
  );
}

interface CodeFieldProps {
  answer: FormAnswer | undefined;
  hint: string;
  /** Not where recovery codes can be typed, which have letters. */
  inputMode?: "numeric";
}

function CodeField({ answer, hint, inputMode }: CodeFieldProps) {
  return (
    <TextField
      {...fieldOf(answer, "code")}
      label="Code"
      hint={hint}
      autoComplete="one-time-code"
      inputMode={inputMode}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={40}
      required
    />
  );
}

interface SubmitProps {
  intent: string;
  variant?: "primary" | "danger" | "secondary";
  children: string;
}

function Submit({ intent, variant = "primary", children }: SubmitProps) {
  const pending = useNavigation().formData?.get("intent") === intent;
  return (
    <Button
      name="intent"
      value={intent}
      variant={variant}
      size="lg"
      wide
      pending={pending}
      pendingLabel="One moment..."
    >
      {children}
    </Button>
  );
}
