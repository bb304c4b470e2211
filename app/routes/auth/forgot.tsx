import { requestReset } from "#app/features/accounts/change-password.server.ts";
import { addressInput } from "#app/features/accounts/input.ts";
import { gameIdAt } from "#app/features/accounts/rules.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { fieldProps } from "#app/forms/form-result.ts";
import { ShortForm } from "#app/forms/intent-form.tsx";
import { tooMany } from "#app/routes/security/attempts.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { useHeadingFocus } from "#app/ui/page-change.tsx";
import type { Route } from "./+types/forgot";
import { AUTH_FORM, type AuthResult, visitorRows } from "./actions.server.ts";
import { AuthScreen, EmailField, EmailSent } from "./auth-screen.tsx";
import { redirectToOf, signInPath, withQuery } from "#app/routes/auth-path.ts";

export { pageHeaders as headers } from "#app/routes/page-headers.ts";

export const meta = metaOf({ title: "Forgot password", path: "/auth/forgot", noindex: true });

export function loader({ request }: Route.LoaderArgs) {
  return { redirectTo: redirectToOf(request) };
}

export const action = formAction(
  visitorRows<AuthResult>()({
    ...{ failed: "Nothing was sent", keep: ["email"], ...AUTH_FORM },
    input: addressInput,
    run: ({ request, address, input, ...app }) => {
      const gameId = gameIdAt(redirectToOf(request));
      return requestReset(app, { ...input, address, gameId }, app.now());
    },
    errors: { "too-many": tooMany },
    done: (_, { input }) => ({ shows: { notice: SENT, values: input } }),
  }),
);

const SENT = {
  title: "Check your email",
  description: "If this address has an account, a link to choose a new password is on its way.",
};

export default function Forgot({ loaderData, actionData }: Route.ComponentProps) {
  const { redirectTo } = loaderData;
  const result: AuthResult | undefined = actionData;
  useHeadingFocus(result?.notice !== undefined);
  const here = withQuery("/auth/forgot", { redirectTo });
  const back = { to: signInPath(redirectTo), label: "Sign In" };
  if (result?.notice) {
    const { notice, values } = result;
    return <EmailSent {...{ notice, values, back }} again={{ action: here }} other={here} />;
  }
  return (
    <AuthScreen
      title="Forgot password?"
      lead="We send you a link to choose a new one."
      back={back}
      isShort
    >
      <ShortForm result={result} submit="Send the link" pendingLabel="Sending...">
        <EmailField {...fieldProps(result, "email")} />
      </ShortForm>
    </AuthScreen>
  );
}
