import { Link } from "react-router";
import { PASSWORD_RULE } from "#app/features/accounts/rules.ts";
import { findOpenLink } from "#app/features/players/sign-up.server.ts";
import { YEARS_OF_STUDY } from "#app/features/players/rules.ts";
import { fieldProps, resultOf } from "#app/forms/form-result.ts";
import { ShortForm } from "#app/forms/short-form.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { redirectIfSignedIn } from "#app/routes/guards.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { safeRedirectTo } from "#app/routes/safe-redirect.ts";
import { PasswordField, SelectField, TextField } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { useHeadingFocus } from "#app/ui/page-change.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import type { Route } from "./+types/auth";
import { authAction, type AuthResult } from "./actions.server.ts";
import { AuthScreen, EmailField, EmailSent, ResendForm } from "./auth-screen.tsx";

export { pageHeaders as headers } from "#app/routes/page-headers.ts";

export const meta = metaOf({ title: "Sign in or sign up", path: "/auth", noindex: true });

// Not in the loader, which would redirect away from the result of a posted form.
export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, context }) => {
    if (request.method !== "POST") await redirectIfSignedIn(context);
  },
];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const app = context.get(appContext);
  const token = searchParams.get("proof");
  const proved = token ? await findOpenLink(app.db, { token, browserHash: null }, app.now()) : null;
  return {
    universityName: app.env.universityName,
    isProofOver: token !== null && !proved,
    proof: token && proved ? { token, email: proved.email } : null,
    redirectTo: safeRedirectTo(searchParams.get("redirectTo")),
    tab: searchParams.get("tab") === "sign-up" ? ("sign-up" as const) : ("sign-in" as const),
  };
}

export const action = authAction;

export default function Auth({ loaderData, actionData }: Route.ComponentProps) {
  const { universityName, redirectTo, tab, proof } = loaderData;
  const result: AuthResult | undefined = actionData;
  // The forms post to this URL, so that a failed one keeps `redirectTo`.
  const to = redirectTo ? withQuery("/auth", { redirectTo }) : "/auth";
  const isAboutEmail = result?.form === "resend" || result?.notice !== undefined;
  useHeadingFocus(isAboutEmail);
  if (isAboutEmail) return <ConfirmationEmail result={result} to={to} />;
  const signIn = resultOf(result, "sign-in", "");
  const signUp = resultOf(result, "sign-up");
  const query = { ...(redirectTo && { redirectTo }), ...(proof && { proof: proof.token }) };
  const panels = {
    "sign-in": <SignInForm to={to} redirectTo={redirectTo} result={signIn} />,
    "sign-up": <SignUpForm {...loaderData} to={to} result={signUp} />,
  };
  return (
    <AuthScreen
      title="Welcome"
      lead={`Pick-up games on campus, currently open to students of ${universityName}.`}
      back={{ to: "/", label: "Back" }}
    >
      <Tabs
        label="Sign in or sign up"
        open={signUp ? "sign-up" : signIn ? "sign-in" : tab}
        href={(id) => withQuery("", { ...query, tab: id })}
        tabs={[
          { id: "sign-in", label: "Sign In", panel: panels["sign-in"] },
          { id: "sign-up", label: "Sign up", panel: panels["sign-up"] },
        ]}
      />
    </AuthScreen>
  );
}

function ConfirmationEmail({ result, to }: { result: AuthResult; to: string }) {
  const back = { to, label: "Sign In" };
  const { notice, values } = result;
  if (notice) {
    const again = { action: to, intent: "resend" };
    const other = withQuery(to, { tab: "sign-up" });
    return <EmailSent notice={notice} values={values} back={back} again={again} other={other} />;
  }
  return (
    <AuthScreen title="Confirm your email" lead="We send you a new link." back={back} isShort>
      <ResendForm result={result} />
    </AuthScreen>
  );
}

function withQuery(path: string, query: Record<string, string>): string {
  return `${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams(query)}`;
}

interface FormProps {
  to: string;
  /** Where to go after signing in. */
  redirectTo: string | null;
  result: AuthResult | undefined;
}

// Both forms are on the page and share field names.
function fieldsOf(form: string, result: AuthResult | undefined) {
  const fieldId = (name: string) => `${form}-${name}`;
  const field = (name: string, value?: string) => {
    return { ...fieldProps(result, name, value), id: fieldId(name), required: true };
  };
  return { fieldId, field };
}

function SignInForm({ to, redirectTo, result }: FormProps) {
  const { fieldId, field } = fieldsOf("sign-in", result);
  return (
    <div className="grid gap-4">
      <ShortForm
        intent="sign-in"
        action={to}
        hidden={{ redirectTo }}
        result={result}
        fieldId={fieldId}
        hasToast
        submit="Sign In"
        pendingLabel="Signing in..."
      >
        <EmailField {...field("email")} />
        <PasswordField {...field("password")} label="password" />
        <Link
          to="/auth/forgot"
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

type Proof = Pick<Route.ComponentProps["loaderData"], "proof" | "isProofOver">;

function SignUpForm({ to, redirectTo, proof, isProofOver, result }: FormProps & Proof) {
  const { fieldId, field } = fieldsOf("sign-up", result);
  return (
    <ShortForm
      intent="sign-up"
      action={proof ? withQuery(to, { proof: proof.token }) : to}
      hidden={{ redirectTo, proof: proof?.token }}
      result={result}
      fieldId={fieldId}
      hasToast
      submit="Sign up"
      pendingLabel="Creating Account..."
    >
      <ProofNotice proof={proof} isProofOver={isProofOver} />
      <EmailField {...field("email", proof?.email)} label="email (school) *" autoComplete="email" />
      <PasswordField
        {...field("password")}
        label="password *"
        hint={PASSWORD_RULE}
        autoComplete="new-password"
      />
      <PersonFields field={field} />
      <p className="text-sm text-muted">
        By signing up you agree to our{" "}
        <Link to="/terms" className="font-semibold text-ink underline underline-offset-4">
          Terms & Conditions
        </Link>
        .
      </p>
    </ShortForm>
  );
}

/** After a confirmation link was opened in a browser that did not sign up. */
function ProofNotice({ proof, isProofOver }: Proof) {
  if (isProofOver) {
    return (
      <Notice tone="info">Your link is used up. Sign up here and we send you a new email.</Notice>
    );
  }
  return (
    proof && (
      <Notice tone="info">
        The link that you opened shows that {proof.email} is yours. Sign up with it and you are in
        right away.
      </Notice>
    )
  );
}

function PersonFields({ field }: Pick<ReturnType<typeof fieldsOf>, "field">) {
  return (
    <>
      <TextField {...field("firstName")} label="First Name *" autoComplete="given-name" />
      <TextField {...field("lastName")} label="Last Name *" autoComplete="family-name" />
      <TextField
        {...field("dateOfBirth")}
        label="Date of Birth *"
        type="date"
        autoComplete="bday"
      />
      <SelectField {...field("schoolYear")} label="Year of Study *">
        <option value="">Select your year</option>
        {YEARS_OF_STUDY.map((year) => (
          <option key={year}>{year}</option>
        ))}
      </SelectField>
      <TextField {...field("major")} label="Major *" autoComplete="off" />
      <TextField
        {...field("phone")}
        label="Phone Number (Optional)"
        type="tel"
        autoComplete="tel"
        required={false}
      />
    </>
  );
}
