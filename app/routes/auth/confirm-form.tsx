import { Form, Link, useNavigation } from "react-router";
import { SIGN_UP_DAYS } from "#app/features/accounts/rules.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { PasswordField } from "#app/ui/field.tsx";
import { AddressCard } from "./address-card.tsx";
import type { Answer } from "./answer.ts";
import { AuthScreen } from "./auth-screen.tsx";
import { FormFailure, fieldId } from "./outcome.tsx";
import { ResendForm } from "./resend-form.tsx";

/** A confirmation link that can be used, as this browser may see it. */
export interface LinkView {
  token: string;
  email: string;
  /** Null in another browser than the one that signed up, which is asked for the password. */
  firstName: string | null;
}

/** One button, and in another browser than the one that signed up the password of that sign-up. */
export function ConfirmForm({ link, answer }: { link: LinkView; answer: Answer | undefined }) {
  const pending = useNavigation().state === "submitting";
  const { token, email, firstName } = link;
  const isOwn = firstName !== null;
  return (
    <AuthScreen
      title="Confirm your email"
      lead={isOwn ? ownLead(firstName) : OTHER_LEAD}
      back={{ to: "/", label: "Home" }}
      isShort
    >
      <AddressCard email={email} />
      <Form method="post" noValidate className="grid gap-4">
        <input type="hidden" name="token" value={token} />
        {/* For password managers, which keep passwords by name. */}
        {!isOwn && <input hidden readOnly name="username" autoComplete="username" value={email} />}
        {!isOwn && (
          <PasswordField
            id={fieldId("confirm", "password")}
            label="password"
            name="password"
            hint="The one that you chose when you signed up."
            autoComplete="current-password"
            required
            error={answer?.errors?.password}
          />
        )}
        <FormFailure answer={answer} prefix="confirm" />
        <Button variant="primary" size="lg" wide pending={pending} pendingLabel="Confirming...">
          Confirm my email
        </Button>
      </Form>
      {!isOwn && <OwnSignUp token={token} />}
      <p className="text-muted">
        Did not sign up? Just close this page. Nothing is confirmed without you, and a sign-up that
        nobody confirms is deleted after {SIGN_UP_DAYS} days.
      </p>
    </AuthScreen>
  );
}

function ownLead(firstName: string): string {
  return `Hi ${firstName}, one more tap confirms that this address is yours, and you are in.`;
}

const OTHER_LEAD =
  "This sign-up began in another browser or on another device. Type the password that was chosen there, so that we know it is yours.";

/** For who did not choose that password: the mail in hand proves the address all the same. */
function OwnSignUp({ token }: { token: string }) {
  return (
    <p>
      Forgot it, or was it not you who signed up?{" "}
      <Link to={`/auth?${new URLSearchParams({ tab: "sign-up", proof: token })}`} className="link">
        Sign up again here
      </Link>
      : the first sign-up is dropped, and no further mail is needed.
    </p>
  );
}

/** A link that was used, or is over. */
export function UsedLink({ isConfirmed }: { isConfirmed: boolean }) {
  if (isConfirmed) {
    return (
      <AuthScreen
        title="Your email is already confirmed"
        lead="This link has done its work. Just sign in."
        back={{ to: "/", label: "Home" }}
        isShort
      >
        <ButtonLink to="/auth" variant="primary" size="lg">
          Sign In
        </ButtonLink>
      </AuthScreen>
    );
  }
  return (
    <AuthScreen
      title="This link does not work any more"
      lead="It has expired or was used already. If you have confirmed your email, just sign in; otherwise we send you a new link."
      back={{ to: "/auth", label: "Sign In" }}
      isShort
    >
      <ResendForm />
    </AuthScreen>
  );
}
