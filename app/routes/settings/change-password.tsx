import { Form, redirect, useNavigation } from "react-router";
import { changePassword } from "#app/features/accounts/change-password.server.ts";
import { changePasswordInput, checkForm } from "#app/features/accounts/input.ts";
import { Button } from "#app/ui/button.tsx";
import { PasswordField } from "#app/ui/field.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import { formFields } from "#app/forms/form-fields.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { ownWordProblem } from "#app/routes/own-words.server.ts";
import { signInCookie } from "#app/routes/cookies.server.ts";
import type { Route } from "./+types/change-password";
import { broke, refuse, tooMany } from "./answers.server.ts";
import { FormProblem, fieldOf } from "./form-problem.tsx";
import { readProof } from "./proof.server.ts";
import { SettingsPage } from "./settings-page.tsx";

export { pageHeaders as headers } from "#app/routes/auth/page-headers.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), {
    title: "Change Password",
    path: "/settings/change-password",
  });

export async function loader({ context }: Route.LoaderArgs) {
  const { email } = context.get(viewerContext);
  return { email };
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const viewer = context.get(viewerContext);
  const checked = checkForm(changePasswordInput, await formFields(request));
  if (!checked.ok) return refuse({ errors: checked.errors }, 422);
  const { currentPassword: password, newPassword } = checked.input;
  const problem = ownWordProblem(app.env, { email: viewer.email, password: newPassword });
  if (problem) return refuse({ errors: { newPassword: problem } }, 422);
  const headers = new Headers();
  try {
    const proof = await readProof(context, request, viewer, password);
    const { userId, sessionId } = viewer;
    const change = { ...proof, userId, newPassword, sessionId };
    const result = await changePassword(app, change, app.now());
    if (!result.ok && result.reason === "too-many") return tooMany(result.retryAfterSeconds);
    if (!result.ok)
      return refuse({ errors: { currentPassword: "Current password is wrong" } }, 422);
    if (result.session) headers.append("Set-Cookie", await signInCookie(app.env, result.session));
  } catch (error) {
    return broke(error, "Failed to update password");
  }
  const message = {
    title: "Password updated successfully",
    description: "Other devices are signed out.",
  };
  headers.append("Set-Cookie", await toastCookie(app.env, message));
  return redirect("/settings", { headers });
}

export default function ChangePassword({ loaderData, actionData }: Route.ComponentProps) {
  const pending = useNavigation().formAction === "/settings/change-password";
  return (
    <SettingsPage title="Change Password" lead="It signs you out on all other devices.">
      <Form method="post" noValidate className="grid gap-4">
        <input type="hidden" name="intent" value="change-password" />
        {/* For password managers, which keep passwords by name. */}
        <input hidden readOnly name="username" autoComplete="username" value={loaderData.email} />
        <PasswordField
          {...fieldOf(actionData, "currentPassword")}
          label="Current password"
          autoComplete="current-password"
          required
        />
        <PasswordField
          {...fieldOf(actionData, "newPassword")}
          label="New password"
          hint="At least 8 characters, with an uppercase letter, a lowercase letter and a number."
          autoComplete="new-password"
          required
        />
        <PasswordField
          {...fieldOf(actionData, "confirmPassword")}
          label="Confirm new password"
          autoComplete="new-password"
          required
        />
        <FormProblem answer={actionData} />
        <Button variant="primary" size="lg" wide pending={pending} pendingLabel="Updating...">
          Update password
        </Button>
      </Form>
    </SettingsPage>
  );
}
