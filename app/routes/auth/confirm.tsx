import { data, Link, redirect } from "react-router";
import { SIGN_UP_DAYS } from "#app/features/accounts/rules.ts";
import {
  confirmSignUp,
  findConfirmed,
  findOpenLink,
} from "#app/features/players/sign-up.server.ts";
import { recallDebt } from "#app/features/wallet/debts.server.ts";
import { formAction } from "#app/forms/form-action.server.ts";
import { fieldProps, type FormResult } from "#app/forms/form-result.ts";
import { ShortForm } from "#app/forms/intent-form.tsx";
import { attemptOf, tooMany } from "#app/routes/security/attempts.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { getViewer } from "#app/routes/guards.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { PasswordField } from "#app/ui/field.tsx";
import { useHeadingFocus } from "#app/ui/page-change.tsx";
import type { Route } from "./+types/confirm";
import { AUTH_FORM, redirectConfirmed, visitorRows } from "./actions.server.ts";
import { withQuery } from "#app/routes/auth-path.ts";
import { AddressCard, AuthScreen, InvitationCard, ResendForm } from "./auth-screen.tsx";
import { loadInvitation } from "./invitation.server.ts";
import { signUpBrowser } from "#app/routes/cookies.server.ts";

export { pageHeaders as headers } from "#app/routes/page-headers.ts";

export const meta = metaOf({ title: "Confirm your email", noindex: true });

type ConfirmView = Awaited<ReturnType<typeof findPage>>;
type LinkView = NonNullable<ConfirmView["link"]>;

/** Has the page's new state; without one the page stays. */
type ConfirmResult = FormResult & Partial<ConfirmView>;

/** Opening a confirmation link changes nothing, since mail scanners open it too. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get("token");
  if (!token) return data({ link: null, isConfirmed: false }, { status: 400 });
  const page = await findPage({ request, context }, token);
  if (page.link) return data(page);
  const viewer = await getViewer(context);
  const { db, now } = context.get(appContext);
  // Already signed in by this link: nothing left to show.
  if (viewer && (await findConfirmed(db, token, now())) === viewer.userId) throw redirect("/");
  return data(page, { status: 410 });
}

export const action = formAction(
  visitorRows<ConfirmResult>()({
    ...{ failed: "Nothing was confirmed", ...AUTH_FORM },
    run: async ({ request, context, fields: { token = "", password = "" }, ...app }) => {
      const browserHash = await signUpBrowser(app.env, request);
      const link = await findOpenLink(app.db, { token, browserHash }, app.now());
      const from = await attemptOf({ request, context }, link?.email ?? "");
      const guess = { token, password, browserHash, ...from };
      const result = await confirmSignUp({ ...app, recallDebt }, guess, app.now());
      return result.ok ? result : { ...result, page: await findPage({ request, context }, token) };
    },
    errors: {
      "too-many": ({ page, retryAfterSeconds }) => {
        const [status, formError, headers] = tooMany({ retryAfterSeconds });
        return [status, { ...page, formError }, headers];
      },
      gone: ({ page }) => ["gone", page],
      "no-password": ({ page }) => [
        "invalid",
        {
          ...page,
          fieldErrors: {
            password: "Please type the password that you chose when you signed up",
          },
        },
      ],
      "wrong-password": ({ page }) => [
        "invalid",
        { ...page, fieldErrors: { password: "This is not the password of this sign-up" } },
      ],
    },
    done: (confirmed, args) => redirectConfirmed(args, confirmed),
  }),
);

async function findPage(
  { request, context }: Pick<Route.LoaderArgs, "request" | "context">,
  token: string,
) {
  const app = context.get(appContext);
  const { env, db, now } = app;
  const browserHash = await signUpBrowser(env, request);
  const found = await findOpenLink(db, { token, browserHash }, now());
  const invitation = found && (await loadInvitation(app, found.redirectTo));
  const link = found && { ...found, token, invitation };
  const isConfirmed = !found && (await findConfirmed(db, token, now())) !== null;
  return { link, isConfirmed };
}

export default function Confirm({ loaderData, actionData }: Route.ComponentProps) {
  const result: ConfirmResult | undefined = actionData;
  const { link, isConfirmed } = result?.link === undefined ? loaderData : result;
  useHeadingFocus(result !== undefined && !link);
  if (link) return <ConfirmForm link={link} result={result} />;
  if (isConfirmed) {
    return (
      <AuthScreen
        title="Your email is already confirmed"
        lead="This link has already been used. Sign in to continue."
        back={{ to: "/", label: "Home" }}
        isShort
      >
        <ButtonLink to="/auth" variant="primary" size="lg">
          Sign In
        </ButtonLink>
      </AuthScreen>
    );
  }
  return (
    <AuthScreen
      title="This link does not work any more"
      lead="It has expired or was used already. If you have confirmed your email, just sign in; otherwise we send you a new link."
      isShort
    >
      <ResendForm />
    </AuthScreen>
  );
}

/** One button; in a browser that did not begin the sign-up also the password. */
function ConfirmForm({ link, result }: { link: LinkView; result: FormResult | undefined }) {
  const { token, email, firstName, redirectTo, invitation } = link;
  const isOwn = firstName !== null;
  return (
    <AuthScreen
      title="Confirm your email"
      lead={
        isOwn
          ? `Hi ${firstName}, one more tap confirms that this address is yours, and your account is ready.`
          : "This sign-up began in another browser or on another device. Type the password that was chosen there, so that we know it is yours."
      }
      back={{ to: "/", label: "Home" }}
      isShort
    >
      <AddressCard email={email} />
      {invitation && <InvitationCard>{`Confirm your email to join ${invitation}`}</InvitationCard>}
      <ShortForm
        hidden={{ token }}
        username={isOwn ? null : email}
        result={result}
        submit="Confirm my email"
        pendingLabel="Confirming..."
      >
        {!isOwn && (
          <PasswordField
            {...fieldProps(result, "password")}
            label="password"
            hint="The one that you chose when you signed up."
          />
        )}
      </ShortForm>
      {!isOwn && (
        <p>
          Forgot it, or was it not you who signed up?{" "}
          <Link
            to={withQuery("/auth", { tab: "sign-up", proof: token, redirectTo })}
            className="link"
          >
            Sign up again here
          </Link>
          : the first sign-up is dropped, and no further email is needed.
        </p>
      )}
      <p className="text-muted">
        Did not sign up? Just close this page. Nothing is confirmed without you, and a sign-up that
        nobody confirms is deleted after {SIGN_UP_DAYS} days.
      </p>
    </AuthScreen>
  );
}
