import { changePassword } from "#app/features/accounts/change-password.server.ts";
import { changePasswordInput } from "#app/features/accounts/input.ts";
import { PASSWORD_RULE } from "#app/features/accounts/rules.ts";
import { formAction, parseForm } from "#app/forms/form-action.server.ts";
import { fieldProps } from "#app/forms/form-result.ts";
import { ShortForm } from "#app/forms/intent-form.tsx";
import { attemptOf, tooMany } from "#app/routes/security/attempts.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { playerRow } from "#app/routes/player-row.server.ts";
import { rejectGuessable } from "#app/routes/security/guessable-password.server.ts";
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
  playerRow({
    failed: "Failed to update password",
    isRepeatUnsafe: true,
    input: ({ env, viewer: { email }, fields }) => {
      const input = parseForm(changePasswordInput, fields);
      rejectGuessable(env, { field: "newPassword", password: input.newPassword, email });
      return input;
    },
    run: async ({ input, viewer: { userId, sessionId, email }, ...args }) => {
      const { currentPassword: password, newPassword } = input;
      const proof = { email, password, ...(await attemptOf(args, email)) };
      return changePassword(args, { ...proof, userId, newPassword, sessionId }, args.now());
    },
    errors: {
      "too-many": tooMany,
      "wrong-password": [
        "invalid",
        { fieldErrors: { currentPassword: "Current password is wrong" } },
      ],
    },
    done: async ({ session }, { env }) => ({
      to: "/settings",
      title: "Password updated successfully",
      description: "Other devices are signed out.",
      isLasting: true,
      headers: session && { "Set-Cookie": await signInCookie(env, session) },
    }),
  }),
);

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
