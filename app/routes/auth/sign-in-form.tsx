import { Form, Link, useNavigation } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { PasswordField, TextField } from "#app/ui/field.tsx";
import type { Answer } from "./answer.ts";
import { FormFailure, fieldId } from "./outcome.tsx";
import { ResendButton } from "./resend-button.tsx";

interface SignInFormProps {
  /** Where the form posts to. */
  to: string;
  /** Where to go on after signing in. */
  redirectTo: string | null;
  answer: Answer | undefined;
}

export function SignInForm({ to, redirectTo, answer }: SignInFormProps) {
  const pending = useNavigation().formData?.get("intent") === "sign-in";
  const { errors = {}, values = {}, unconfirmed } = answer ?? {};
  return (
    <div className="grid gap-4">
      <Form method="post" action={to} noValidate className="grid gap-4">
        <input type="hidden" name="intent" value="sign-in" />
        {redirectTo && <input type="hidden" name="redirectTo" value={redirectTo} />}
        <TextField
          id={fieldId("sign-in", "email")}
          label="email"
          name="email"
          type="email"
          autoComplete="username"
          required
          defaultValue={values.email}
          error={errors.email}
        />
        <PasswordField
          id={fieldId("sign-in", "password")}
          label="password"
          name="password"
          autoComplete="current-password"
          required
          error={errors.password}
        />
        <Link
          to="/auth/forgot"
          className="-mt-2 inline-flex min-h-11 items-center justify-self-start font-semibold underline underline-offset-4"
        >
          Forgot password?
        </Link>
        <FormFailure answer={answer} prefix="sign-in" />
        <Button variant="primary" size="lg" wide pending={pending} pendingLabel="Signing in...">
          Sign In
        </Button>
      </Form>
      {unconfirmed !== undefined && (
        <ResendButton to={to} email={unconfirmed} signUpId={answer?.signUpId} />
      )}
    </div>
  );
}
