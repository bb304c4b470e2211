import { data, Form, redirect, useNavigation } from "react-router";
import { checkForm, resetInput } from "#app/features/accounts/input.ts";
import { findLink } from "#app/features/accounts/mail-links.server.ts";
import { resetPassword } from "#app/features/accounts/change-password.server.ts";
import { findAddressee } from "#app/features/accounts/accounts.server.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { PasswordField } from "#app/ui/field.tsx";
import { addressContext, appContext } from "#app/routes/context.server.ts";
import { deviceCookie, signOutCookie } from "#app/routes/cookies.server.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { ownWordProblem } from "#app/routes/own-words.server.ts";
import type { Route } from "./+types/reset";
import { broke, refuse } from "./answers.server.ts";
import { AddressCard } from "./address-card.tsx";
import { AuthScreen } from "./auth-screen.tsx";
import { formFields } from "#app/forms/form-fields.server.ts";
import { FormFailure, fieldId, useAnswerToast } from "./outcome.tsx";

export { pageHeaders as headers } from "./page-headers.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Choose a new password", noindex: true });

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const token = new URL(request.url).searchParams.get("token") ?? "";
  const userId = await findLink(db, "reset", token, now());
  const account = userId === null ? null : await findAddressee(db, userId);
  return data({ token, email: account?.email ?? null }, { status: account ? 200 : 410 });
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const checked = checkForm(resetInput, await formFields(request));
  if (!checked.ok) return refuse({ form: "reset", errors: checked.errors }, 422);
  const { token, password } = checked.input;
  let person: string | null;
  try {
    const userId = await findLink(app.db, "reset", token, app.now());
    const email = userId ? (await findAddressee(app.db, userId))?.email : undefined;
    const problem = ownWordProblem(app.env, { password, email });
    if (problem) return refuse({ form: "reset", errors: { password: problem } }, 422);
    const address = context.get(addressContext);
    person = await resetPassword(app, { token, password, address }, app.now());
  } catch (error) {
    return broke({ form: "reset" })(error);
  }
  // A link that does not work any more: the page says so, from the loader.
  if (!person) return refuse({ form: "reset" }, 410);
  const headers = new Headers();
  const message = { title: "Password updated successfully", description: "Please sign in." };
  headers.append("Set-Cookie", await toastCookie(app.env, message));
  headers.append("Set-Cookie", await signOutCookie(app.env));
  // Whoever reads the owner's mail is no stranger: an attack going on does not slow them down.
  headers.append("Set-Cookie", await deviceCookie(app.env, request, person));
  return redirect("/auth", { headers });
}

export default function Reset({ loaderData, actionData }: Route.ComponentProps) {
  const pending = useNavigation().state === "submitting";
  useAnswerToast(actionData);
  const { token, email } = loaderData;
  if (!email) return <UsedUp />;
  return (
    <AuthScreen
      title="Choose a new password"
      lead="It signs you out everywhere else."
      back={{ to: "/auth", label: "Sign In" }}
      isShort
    >
      <AddressCard email={email} />
      <Form method="post" noValidate className="grid gap-4">
        <input type="hidden" name="token" value={token} />
        {/* For password managers, which keep passwords by name. */}
        <input hidden readOnly name="username" autoComplete="username" value={email} />
        <PasswordField
          id={fieldId("reset", "password")}
          label="New password"
          hint="At least 8 characters, with an uppercase letter, a lowercase letter and a number."
          name="password"
          autoComplete="new-password"
          required
          error={actionData?.errors?.password}
        />
        <FormFailure answer={actionData} prefix="reset" />
        <Button variant="primary" size="lg" wide pending={pending} pendingLabel="Saving...">
          Save password
        </Button>
      </Form>
    </AuthScreen>
  );
}

function UsedUp() {
  return (
    <AuthScreen
      title="This link does not work any more"
      lead="It has expired or was used already. A new one takes a minute."
      back={{ to: "/auth", label: "Sign In" }}
      isShort
    >
      <ButtonLink to="/auth/forgot" variant="primary" size="lg" wide>
        Send a new link
      </ButtonLink>
    </AuthScreen>
  );
}
