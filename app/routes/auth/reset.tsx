import { data } from "react-router";
import { resetPassword } from "#app/features/accounts/change-password.server.ts";
import { resetInput } from "#app/features/accounts/input.ts";
import { findLink } from "#app/features/accounts/mail-links.server.ts";
import { PASSWORD_RULE } from "#app/features/accounts/rules.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { rejected } from "#app/forms/form-rows.server.ts";
import { ShortForm } from "#app/forms/intent-form.tsx";
import { type App, appContext } from "#app/routes/context.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { rejectGuessable } from "#app/routes/security/guessable-password.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { PasswordField } from "#app/ui/field.tsx";
import type { Route } from "./+types/reset";
import { AUTH_FORM, visitorRows } from "./actions.server.ts";
import { redirectToOf, signInPath, withQuery } from "#app/routes/auth-path.ts";
import { AddressCard, AuthScreen } from "./auth-screen.tsx";
import { findAddressee } from "#app/features/accounts/accounts.server.ts";
import { claimDevice, signOutCookie } from "#app/routes/cookies.server.ts";

export { pageHeaders as headers } from "#app/routes/page-headers.ts";

export const meta = metaOf({ title: "Choose a new password", noindex: true });

interface ResetResult extends FormResult {
  isOver?: boolean;
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get("token") ?? "";
  const email = await findEmail(context.get(appContext), token);
  const found = { token, email, redirectTo: redirectToOf(request) };
  return data(found, { status: email === null ? 410 : 200 });
}

async function findEmail({ db, now }: App, token: string): Promise<string | null> {
  const userId = await findLink(db, "reset", token, now());
  return userId === null ? null : ((await findAddressee(db, userId))?.email ?? null);
}

export const action = formAction(
  visitorRows<ResetResult>()({
    ...{ failed: "Nothing was changed", ...AUTH_FORM },
    input: resetInput,
    run: async ({ input: { token, password }, address, ...app }) => {
      const email = (await findEmail(app, token)) ?? undefined;
      rejectGuessable(app.env, { field: "password", password, email });
      return (
        (await resetPassword(app, { token, password, address }, app.now())) ?? rejected("over")
      );
    },
    errors: { over: ["gone", { isOver: true }] },
    done: async (person, { env, request }) => {
      const headers = new Headers({ "Set-Cookie": await signOutCookie(env) });
      // Reading the email proves the owner, so their browser is exempt from delays.
      await claimDevice(headers, env, request, person);
      return {
        to: signInPath(redirectToOf(request)),
        title: "Password updated successfully",
        description: "Please sign in.",
        isLasting: true,
        headers,
      };
    },
  }),
);

export default function Reset({ loaderData, actionData }: Route.ComponentProps) {
  const { token, email, redirectTo } = loaderData;
  const result: ResetResult | undefined = actionData;
  if (!email || result?.isOver) {
    return (
      <AuthScreen
        title="This link does not work any more"
        lead="It has expired or was used already. A new one takes a minute."
        back={{ to: signInPath(redirectTo), label: "Sign In" }}
        isShort
      >
        <ButtonLink to={withQuery("/auth/forgot", { redirectTo })} variant="primary" size="lg" wide>
          Send a new link
        </ButtonLink>
      </AuthScreen>
    );
  }
  return (
    <AuthScreen title="Choose a new password" lead="You'll be signed out everywhere else." isShort>
      <AddressCard email={email} />
      <ShortForm
        hidden={{ token }}
        username={email}
        result={result}
        submit="Save password"
        pendingLabel="Saving..."
      >
        <PasswordField
          {...fieldProps(result, "password")}
          label="New password"
          hint={PASSWORD_RULE}
          autoComplete="new-password"
        />
      </ShortForm>
    </AuthScreen>
  );
}
