import { changePassword } from "#app/features/accounts/change-password.server.ts";
import { changePasswordInput } from "#app/features/accounts/input.ts";
import { PASSWORD_RULE } from "#app/features/accounts/rules.ts";
import { fail, formAction, parseForm, type Posted } from "#app/forms/form-action.server.ts";
import { fieldProps } from "#app/forms/form-result.ts";
import { ShortForm } from "#app/forms/short-form.tsx";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import { attemptOf, failTooMany } from "#app/routes/attempts.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { guessablePasswordProblem } from "#app/routes/guessable-password.server.ts";
import { PasswordField } from "#app/ui/field.tsx";
import type { Route } from "./+types/change-password";
import { SettingsPage } from "./settings-page.tsx";
import { signInCookie } from "#app/routes/cookies.server.ts";

export { pageHeaders as headers } from "#app/routes/page-headers.ts";

export const meta = metaOf({ title: "Change Password", path: "/settings/change-password" });

export async function loader({ context }: Route.LoaderArgs) {
  return { email: context.get(viewerContext).email };
}

export const action = formAction(
  { failed: "Failed to update password", isRepeatUnsafe: true },
  async ({ request, context, fields }: Route.ActionArgs & Posted) => {
    const app = context.get(appContext);
    const { userId, sessionId, email } = context.get(viewerContext);
    const { currentPassword: password, newPassword } = parseForm(changePasswordInput, fields);
    const problem = guessablePasswordProblem(app.env, { email, password: newPassword });
    if (problem) return fail(422, { fieldErrors: { newPassword: problem } });
    const from = await attemptOf({ request, context }, email);
    const change = { ...from, email, password, userId, newPassword, sessionId };
    const result = await changePassword(app, change, app.now());
    if (!result.ok && result.reason === "too-many") return failTooMany(result.retryAfterSeconds);
    if (!result.ok) return fail(422, { fieldErrors: { currentPassword: WRONG } });
    const headers = new Headers();
    if (result.session) headers.set("Set-Cookie", await signInCookie(app.env, result.session));
    const description = "Other devices are signed out.";
    const toast = { title: "Password updated successfully", description, isLasting: true };
    return redirectWithToast(app.env, "/settings", toast, headers);
  },
);

const WRONG = "Current password is wrong";

export default function ChangePassword({ loaderData, actionData }: Route.ComponentProps) {
  const field = (name: string) => fieldProps(actionData, name);
  return (
    <SettingsPage title="Change Password" lead="You'll be signed out on your other devices.">
      <ShortForm
        intent="change-password"
        username={loaderData.email}
        result={actionData}
        submit="Update password"
        pendingLabel="Updating..."
      >
        <PasswordField {...field("currentPassword")} label="Current password" />
        <PasswordField
          {...field("newPassword")}
          label="New password"
          hint={PASSWORD_RULE}
          autoComplete="new-password"
        />
        <PasswordField
          {...field("confirmPassword")}
          label="Confirm new password"
          autoComplete="new-password"
        />
      </ShortForm>
    </SettingsPage>
  );
}
