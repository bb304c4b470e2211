import { data, Form, useNavigation } from "react-router";
import { addressInput, checkForm } from "#app/features/accounts/input.ts";
import { requestReset } from "#app/features/accounts/change-password.server.ts";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/field.tsx";
import { useHeadingFocus } from "#app/ui/page-change.tsx";
import { addressContext, appContext } from "#app/routes/context.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import type { Route } from "./+types/forgot";
import type { Answer } from "./answer.ts";
import { broke, kept, refuse, tooMany } from "./answers.server.ts";
import { AuthScreen } from "./auth-screen.tsx";
import { formFields } from "#app/forms/form-fields.server.ts";
import { MailSent } from "./mail-sent.tsx";
import { FormFailure, fieldId, useAnswerToast } from "./outcome.tsx";

export { pageHeaders as headers } from "#app/routes/page-headers.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Forgot password", path: "/auth/forgot", noindex: true });

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const fields = await formFields(request);
  const values = kept(fields);
  const checked = checkForm(addressInput, fields);
  if (!checked.ok) return refuse({ form: "forgot", errors: checked.errors, values }, 422);
  const asked = { ...checked.input, address: context.get(addressContext) };
  try {
    const result = await requestReset(app, asked, app.now());
    if (!result.ok) return tooMany({ form: "forgot", values }, result.retryAfterSeconds);
    return data<Answer>({ form: "forgot", notice: SENT, values });
  } catch (error) {
    return broke({ form: "forgot", values })(error);
  }
}

const SENT = {
  title: "Check your email",
  description: "If this address has an account, a link to choose a new password is on its way.",
};

export default function Forgot({ actionData }: Route.ComponentProps) {
  const pending = useNavigation().state === "submitting";
  useAnswerToast(actionData);
  useHeadingFocus(actionData?.notice !== undefined);
  const back = { to: "/auth", label: "Sign In" };
  const here = "/auth/forgot";
  if (actionData?.notice)
    return <MailSent answer={actionData} back={back} again={{ to: here }} other={here} />;
  return (
    <AuthScreen
      title="Forgot password?"
      lead="We send you a link to choose a new one."
      back={back}
      isShort
    >
      <Form method="post" noValidate className="grid gap-4">
        <TextField
          id={fieldId("forgot", "email")}
          label="email"
          name="email"
          type="email"
          autoComplete="username"
          required
          defaultValue={actionData?.values?.email}
          error={actionData?.errors?.email}
        />
        <FormFailure answer={actionData} prefix="forgot" />
        <Button variant="primary" size="lg" wide pending={pending} pendingLabel="Sending...">
          Send the link
        </Button>
      </Form>
    </AuthScreen>
  );
}
