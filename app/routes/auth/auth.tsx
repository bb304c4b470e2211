import { Link } from "react-router";
import { findOpenLink } from "#app/features/players/sign-up.server.ts";
import { schoolEmailHint } from "#app/features/players/rules.ts";
import { resultOf } from "#app/forms/form-result.ts";
import { ShortForm } from "#app/forms/intent-form.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { hasHadAccount, signUpBrowser } from "#app/routes/cookies.server.ts";
import { redirectIfSignedIn } from "#app/routes/guards.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { PasswordField } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { useHeadingFocus } from "#app/ui/page-change.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import type { Route } from "./+types/auth";
import { authAction, type AuthResult } from "./actions.server.ts";
import { fieldsOf, type FormProps } from "./auth-fields.ts";
import { AuthScreen, EmailField, EmailSent, InvitationCard, ResendForm } from "./auth-screen.tsx";
import { loadChatInvitation, loadInvitation } from "./invitation.server.ts";
import { SignUpForm } from "./sign-up-form.tsx";
import { redirectToOf, signInPath, withQuery } from "#app/routes/auth-path.ts";

export { pageHeaders as headers } from "#app/routes/page-headers.ts";

export const meta = metaOf({ title: "Sign in or sign up", path: "/auth", noindex: true });

// Not in the loader, which would redirect away from the result of a posted form.
export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, context }) => {
    if (request.method === "POST") return;
    await redirectIfSignedIn(context, redirectToOf(request) ?? undefined);
  },
];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const app = context.get(appContext);
  const token = searchParams.get("proof");
  const proved = token ? await findOpenLink(app.db, { token, browserHash: null }, app.now()) : null;
  const redirectTo = redirectToOf(request);
  const isFromEmail = searchParams.get("from") === "email";
  const invitation = await loadInvitation(app, redirectTo, isFromEmail);
  const hasAccount = await hasHadAccount(app.env, request);
  const isNewcomer = invitation !== null && !hasAccount && !isFromEmail;
  return {
    universityName: app.env.universityName,
    emailHint: schoolEmailHint(app.env.schoolDomains),
    isProofOver: token !== null && !proved,
    proof: token && proved ? { token, email: proved.email } : null,
    redirectTo,
    invitation,
    chat: await loadChatInvitation(app, redirectTo),
    isFromEmail,
    /** Same after a reload of the page that says so. */
    awaitsEmail: !hasAccount && (await signUpBrowser(app.env, request)) !== null,
    tab: tabOf(searchParams.get("tab")) ?? (isNewcomer ? "sign-up" : "sign-in"),
  };
}

function tabOf(text: string | null) {
  return text === "sign-up" || text === "sign-in" ? text : null;
}

export const action = authAction;

export default function Auth({ loaderData, actionData }: Route.ComponentProps) {
  const { universityName, redirectTo, tab, proof, awaitsEmail, isFromEmail } = loaderData;
  const result: AuthResult | undefined = actionData;
  const isAboutEmail = result?.form === "resend" || result?.notice !== undefined;
  useHeadingFocus(isAboutEmail);
  if (isAboutEmail) return <ConfirmationEmail {...loaderData} result={result} />;
  const signIn = resultOf(result, "sign-in", "");
  const signUp = resultOf(result, "sign-up");
  const query = { redirectTo, proof: proof?.token, from: isFromEmail ? "email" : null };
  const to = withQuery("/auth", query);
  const panels = {
    "sign-in": <SignInForm {...loaderData} to={to} result={signIn} />,
    "sign-up": <SignUpForm {...loaderData} to={to} result={signUp} />,
  };
  return (
    <AuthScreen
      title="Welcome"
      lead={`Pick-up games on campus, currently open to students of ${universityName}.`}
      back={{ to: "/", label: "Back" }}
    >
      {awaitsEmail && !result && !proof && (
        <Notice tone="info">Signed up here already? Open the link in the email we sent you.</Notice>
      )}
      <Tabs
        label="Sign in or sign up"
        open={signUp ? "sign-up" : signIn ? "sign-in" : tab}
        href={(id) => withQuery("/auth", { ...query, tab: id })}
        tabs={[
          { id: "sign-in", label: "Sign In", panel: panels["sign-in"] },
          { id: "sign-up", label: "Sign up", panel: panels["sign-up"] },
        ]}
      />
    </AuthScreen>
  );
}

type EmailProps = { result: AuthResult } & Pick<
  Route.ComponentProps["loaderData"],
  "redirectTo" | "invitation"
>;

function ConfirmationEmail({ result, redirectTo, invitation }: EmailProps) {
  const to = withQuery("/auth", { redirectTo });
  const back = { to: signInPath(redirectTo), label: "Sign In" };
  const { notice, values } = result;
  if (notice) {
    const again = { action: to, intent: "resend" };
    const other = withQuery("/auth", { redirectTo, tab: "sign-up" });
    return (
      <EmailSent {...{ notice, values, back, again, other }}>
        {invitation && (
          <InvitationCard>{`Confirm your email to join ${invitation}`}</InvitationCard>
        )}
      </EmailSent>
    );
  }
  return (
    <AuthScreen title="Confirm your email" lead="We send you a new link." back={back} isShort>
      <ResendForm result={result} to={to} />
    </AuthScreen>
  );
}

function SignInForm(props: FormProps & { chat: string | null }) {
  const { to, redirectTo, invitation, chat, isFromEmail, result } = props;
  const { fieldId, field } = fieldsOf("sign-in", result);
  return (
    <div className="grid gap-4">
      {invitation && (
        <InvitationCard>{`Sign in to ${isFromEmail ? "open" : "join"} ${invitation}`}</InvitationCard>
      )}
      {chat && <InvitationCard>{`Sign in to open ${chat}`}</InvitationCard>}
      <ShortForm
        intent="sign-in"
        action={to}
        hidden={{ redirectTo }}
        result={result}
        fieldId={fieldId}
        toast="beside"
        submit="Sign In"
        pendingLabel="Signing in..."
      >
        <EmailField {...field("email")} />
        <PasswordField {...field("password")} label="password" />
        <Link
          to={withQuery("/auth/forgot", { redirectTo })}
          className="-mt-2 inline-flex min-h-11 items-center justify-self-start font-semibold underline underline-offset-4"
        >
          Forgot password?
        </Link>
      </ShortForm>
      {result?.unconfirmed && (
        <ShortForm
          intent="resend"
          action={to}
          hidden={result.unconfirmed}
          variant="secondary"
          submit="Send the link again"
          pendingLabel="Sending..."
        />
      )}
    </div>
  );
}
