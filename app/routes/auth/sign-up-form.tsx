import type { ComponentProps } from "react";
import { Form, Link, useNavigation } from "react-router";
import { YEARS_OF_STUDY } from "#app/features/players/rules.ts";
import { Button } from "#app/ui/button.tsx";
import { PasswordField, SelectField, TextField } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { Answer } from "./answer.ts";
import { FormFailure, fieldId } from "./outcome.tsx";

interface SignUpFormProps {
  to: string;
  redirectTo: string | null;
  /** The link in hand proves this address: it is sent no further mail. */
  proof: { token: string; email: string } | null;
  /** The link in hand was used, or is too old. */
  isProofOver: boolean;
  answer: Answer | undefined;
}

export function SignUpForm({ to, redirectTo, proof, isProofOver, answer }: SignUpFormProps) {
  const pending = useNavigation().formData?.get("intent") === "sign-up";
  const field = fieldsOf(answer);
  return (
    <Form method="post" action={to} noValidate className="grid gap-4">
      <input type="hidden" name="intent" value="sign-up" />
      {redirectTo && <input type="hidden" name="redirectTo" value={redirectTo} />}
      {proof && <input type="hidden" name="proof" value={proof.token} />}
      {proof && (
        <Notice tone="info">
          The link that you opened shows that {proof.email} is yours. Sign up with it and you are in
          right away.
        </Notice>
      )}
      {isProofOver && (
        <Notice tone="info">Your link is used up. Sign up here and we send you a new email.</Notice>
      )}
      <TextField
        {...field("email")}
        defaultValue={answer?.values?.email ?? proof?.email}
        label="email (school) *"
        type="email"
        autoComplete="email"
      />
      <PasswordField
        {...field("password")}
        label="password *"
        hint="At least 8 characters, with an uppercase letter, a lowercase letter and a number."
        autoComplete="new-password"
      />
      <TextField {...field("firstName")} label="First Name *" autoComplete="given-name" />
      <TextField {...field("lastName")} label="Last Name *" autoComplete="family-name" />
      <TextField
        {...field("dateOfBirth")}
        label="Date of Birth *"
        type="date"
        autoComplete="bday"
      />
      <YearField {...field("schoolYear")} />
      <TextField {...field("major")} label="Major *" autoComplete="off" />
      <TextField
        {...field("phone")}
        label="Phone Number (Optional)"
        type="tel"
        autoComplete="tel"
        required={false}
      />
      <TermsNote />
      <FormFailure answer={answer} prefix="sign-up" />
      <Button variant="primary" size="lg" wide pending={pending} pendingLabel="Creating Account...">
        Sign up
      </Button>
    </Form>
  );
}

function YearField(field: Omit<ComponentProps<typeof SelectField>, "label" | "children">) {
  return (
    <SelectField {...field} label="Year of Study *">
      <option value="">Select your year</option>
      {YEARS_OF_STUDY.map((year) => (
        <option key={year}>{year}</option>
      ))}
    </SelectField>
  );
}

function TermsNote() {
  return (
    <p className="text-sm text-muted">
      By signing up you agree to our{" "}
      <Link to="/terms" className="font-semibold text-ink underline underline-offset-4">
        Terms & Conditions
      </Link>
      .
    </p>
  );
}

function fieldsOf(answer: Answer | undefined) {
  return (name: string) => ({
    id: fieldId("sign-up", name),
    name,
    required: true,
    defaultValue: answer?.values?.[name],
    error: answer?.errors?.[name],
  });
}
