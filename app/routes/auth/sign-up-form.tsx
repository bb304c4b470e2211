import { Link } from "react-router";
import { PASSWORD_RULE } from "#app/features/accounts/rules.ts";
import { YEARS_OF_STUDY } from "#app/features/players/rules.ts";
import { ShortForm } from "#app/forms/intent-form.tsx";
import { PasswordField, SelectField, TextField } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { EmailField, InvitationCard } from "./auth-screen.tsx";
import { fieldsOf, type FormProps } from "./auth-fields.ts";

interface SignUpFormProps extends FormProps {
  /** Set if the sign-up was confirmed in a browser that did not begin it. */
  proof: { token: string; email: string } | null;
  isProofOver: boolean;
  emailHint: string;
}

export function SignUpForm(props: SignUpFormProps) {
  const { to, redirectTo, invitation, proof, isProofOver, emailHint, result } = props;
  const { fieldId, field } = fieldsOf("sign-up", result);
  return (
    <ShortForm
      intent="sign-up"
      action={to}
      hidden={{ redirectTo, proof: proof?.token }}
      result={result}
      fieldId={fieldId}
      toast="beside"
      submit="Sign up"
      pendingLabel="Creating Account..."
    >
      {invitation && <InvitationCard>{`Sign up to join ${invitation}`}</InvitationCard>}
      <ProofNotice proof={proof} isProofOver={isProofOver} />
      <EmailField
        {...field("email", proof?.email)}
        label="email (school) *"
        hint={emailHint}
        autoComplete="email"
      />
      <PasswordField
        {...field("password")}
        label="password *"
        hint={PASSWORD_RULE}
        autoComplete="new-password"
      />
      <PersonFields field={field} />
      <Agreement />
    </ShortForm>
  );
}

function Agreement() {
  const link = "font-semibold text-ink underline underline-offset-4";
  return (
    <p className="text-sm text-muted">
      By signing up you agree to our{" "}
      <Link to="/terms" target="_blank" className={link}>
        Terms & Conditions
      </Link>{" "}
      and have read the{" "}
      <Link to="/privacy" target="_blank" className={link}>
        Privacy Policy
      </Link>
      .
    </p>
  );
}

/** After a confirmation link was opened in a browser that did not sign up. */
function ProofNotice({ proof, isProofOver }: Pick<SignUpFormProps, "proof" | "isProofOver">) {
  if (isProofOver) {
    return (
      <Notice tone="info">Your link is used up. Sign up here and we send you a new email.</Notice>
    );
  }
  return (
    proof && (
      <Notice tone="info">
        The link that you opened shows that {proof.email} is yours. Sign up with it and you are in
        right away.
      </Notice>
    )
  );
}

function PersonFields({ field }: Pick<ReturnType<typeof fieldsOf>, "field">) {
  return (
    <>
      <TextField {...field("firstName")} label="First Name *" autoComplete="given-name" />
      <TextField {...field("lastName")} label="Last Name *" autoComplete="family-name" />
      <TextField
        {...field("dateOfBirth")}
        label="Date of Birth *"
        type="date"
        autoComplete="bday"
      />
      <SelectField {...field("schoolYear")} label="Year of Study *">
        <option value="">Select your year</option>
        {YEARS_OF_STUDY.map((year) => (
          <option key={year} value={year}>
            {year}
          </option>
        ))}
      </SelectField>
      <TextField {...field("major")} label="Major *" autoComplete="off" />
      <TextField
        {...field("phone")}
        label="Phone Number (Optional)"
        type="tel"
        autoComplete="tel"
        required={false}
      />
    </>
  );
}
