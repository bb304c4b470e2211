import { data } from "react-router";
import { findOpenLink } from "#app/features/players/sign-up.server.ts";
import { Tabs } from "#app/ui/tabs.tsx";
import { addressContext, appContext } from "#app/routes/context.server.ts";
import { getViewer, redirectIfSignedIn } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { safeRedirectTo } from "#app/routes/safe-redirect.ts";
import type { Route } from "./+types/auth";
import type { Answer } from "./answer.ts";
import { answerResend, answerSignIn, answerSignUp, broke, kept } from "./answers.server.ts";
import { AuthScreen } from "./auth-screen.tsx";
import { formFields } from "#app/forms/form-fields.server.ts";
import { MailSent } from "./mail-sent.tsx";
import { useAnswerToast } from "./outcome.tsx";
import { ResendForm } from "./resend-form.tsx";
import { SignInForm } from "./sign-in-form.tsx";
import { SignUpForm } from "./sign-up-form.tsx";
import { useHeadingFocus } from "#app/ui/page-change.tsx";

export { pageHeaders as headers } from "#app/routes/page-headers.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Sign in or sign up", path: "/auth", noindex: true });

// Before the loader, which cannot tell that a form was posted: the answer to a form is always seen.
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

export async function action({ request, context }: Route.ActionArgs) {
  const fields = await formFields(request);
  const [app, address] = [context.get(appContext), context.get(addressContext)];
  const findViewer = () => getViewer(context);
  const posted = { app, request, fields, address, findViewer };
  const form = Object.keys(ANSWERS).find((name) => name === fields.intent) as Form | undefined;
  if (!form) throw data("Bad Request", { status: 400 });
  return ANSWERS[form](posted).catch(broke({ form, values: kept(fields) }));
}

const ANSWERS = { "sign-in": answerSignIn, "sign-up": answerSignUp, resend: answerResend };
type Form = keyof typeof ANSWERS;

export default function Auth({ loaderData, actionData }: Route.ComponentProps) {
  const { universityName, redirectTo, tab, proof, isProofOver } = loaderData;
  // The forms post to the address they stand on, so that a refusal still knows where to go on.
  const to = redirectTo ? `/auth?redirectTo=${encodeURIComponent(redirectTo)}` : "/auth";
  const isAboutMail = actionData?.form === "resend" || actionData?.notice !== undefined;
  useAnswerToast(actionData);
  useHeadingFocus(isAboutMail);
  if (isAboutMail) return <ConfirmationMail answer={actionData} to={to} />;
  const of = (form: Answer["form"]) => (actionData?.form === form ? actionData : undefined);
  return (
    <AuthScreen
      title="Welcome"
      lead={`Pick-up games on campus, currently open to students of ${universityName}.`}
      back={{ to: "/", label: "Back" }}
    >
      <Tabs
        label="Sign in or sign up"
        open={of("sign-up") ? "sign-up" : of("sign-in") ? "sign-in" : tab}
        href={(id) =>
          withQuery("", {
            ...(redirectTo && { redirectTo }),
            ...(proof && { proof: proof.token }),
            tab: id,
          })
        }
        tabs={[
          {
            id: "sign-in",
            label: "Sign In",
            panel: <SignInForm to={to} redirectTo={redirectTo} answer={of("sign-in")} />,
          },
          {
            id: "sign-up",
            label: "Sign up",
            panel: (
              <SignUpForm
                to={proof ? withQuery(to, { proof: proof.token }) : to}
                redirectTo={redirectTo}
                proof={proof}
                isProofOver={isProofOver}
                answer={of("sign-up")}
              />
            ),
          },
        ]}
      />
    </AuthScreen>
  );
}

/** The mail that confirms an address: on its way, or why it is not. */
function ConfirmationMail({ answer, to }: { answer: Answer; to: string }) {
  const back = { to, label: "Sign In" };
  if (answer.errors) {
    return (
      <AuthScreen title="Confirm your email" lead="We send you a new link." back={back} isShort>
        <ResendForm answer={answer} />
      </AuthScreen>
    );
  }
  const other = withQuery(to, { tab: "sign-up" });
  return <MailSent answer={answer} back={back} again={{ to, intent: "resend" }} other={other} />;
}

function withQuery(path: string, query: Record<string, string>): string {
  return `${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams(query)}`;
}
