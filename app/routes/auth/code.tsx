import { redirect } from "react-router";
import { WRONG_CODE } from "#app/features/accounts/rules.ts";
import { findStepAccount, passSecondStep } from "#app/features/accounts/sign-in.server.ts";
import { findTwoFactor, isRecoveryCode } from "#app/features/accounts/two-factor.server.ts";
import { type ActionArgs, formAction, type Posted } from "#app/forms/form-action.server.ts";
import { fieldProps } from "#app/forms/form-result.ts";
import { formRows, rejected } from "#app/forms/form-rows.server.ts";
import { ShortForm } from "#app/forms/intent-form.tsx";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import { attemptOf, tooMany } from "#app/routes/security/attempts.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { missingFactor } from "#app/features/accounts/sessions.server.ts";
import { getViewer } from "#app/routes/guards.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { logSecondFactor } from "#app/routes/security/security-log.server.ts";
import { CodeField } from "#app/ui/field.tsx";
import type { Route } from "./+types/code";
import { endSecondStep, AUTH_FORM, readSecondStep, signedInHeaders } from "./actions.server.ts";
import { AuthScreen } from "./auth-screen.tsx";
import { redirectToOf, signInPath } from "#app/routes/auth-path.ts";
import { redirectOnwards } from "#app/routes/safe-redirect.ts";

export { pageHeaders as headers } from "#app/routes/page-headers.ts";

export const meta = metaOf({ title: "Enter your code", path: "/auth/code", noindex: true });

export async function loader({ request, context }: Route.LoaderArgs) {
  await requireMissingCode(request, context);
  return { redirectTo: redirectToOf(request), brandName: context.get(appContext).env.brandName };
}

/** The account that owes a code: after its password, or in a session without a second factor. */
async function requireMissingCode(request: Request, context: Route.LoaderArgs["context"]) {
  const app = context.get(appContext);
  const step = await readSecondStep(app, request);
  const account = step && (await findStepAccount(app.db, step));
  if (account) return account;
  const viewer = await getViewer(context);
  const needsCode = viewer && missingFactor(viewer, app.env) === "code";
  const own = needsCode && (await findStepAccount(app.db, { userId: viewer.userId }));
  if (own) return own;
  if (viewer) throw redirect(redirectToOf(request) ?? "/events");
  throw await startAgain(context, redirectToOf(request));
}

const row = formRows(async ({ request, context, fields }: ActionArgs & Posted) => ({
  ...context.get(appContext),
  account: await requireMissingCode(request, context),
  redirectTo: redirectToOf(request, fields),
}));

/** The second step of a sign-in, or its repetition for a session that began without it. */
export const action = formAction(
  row({
    ...{ failed: "Sign in failed", ...AUTH_FORM },
    run: async ({ request, context, account, fields: { code = "" }, ...app }) => {
      if (!code.trim()) return rejected("no-code");
      const from = await attemptOf({ request, context }, account.email);
      const userAgent = request.headers.get("User-Agent");
      const result = await passSecondStep(app, { account, code, userAgent, ...from }, app.now());
      logSecondFactor(account.userId, result);
      return result;
    },
    errors: {
      "no-code": ["invalid", { fieldErrors: { code: "Code is required" } }],
      "too-many": tooMany,
      over: (_, { context, redirectTo }) => startAgain(context, redirectTo),
      "wrong-code": ["unproven", WRONG_CODE],
    },
    done: async ({ session }, { db, account, redirectTo, fields: { code = "" }, ...args }) => {
      const headers = await signedInHeaders(args, session, account.email);
      const to = redirectTo ?? "/events";
      if (!isRecoveryCode(code)) return redirectOnwards(to, headers);
      const left = (await findTwoFactor(db, account.userId))?.codesLeft ?? 0;
      const description = `${left} ${left === 1 ? "is" : "are"} left.`;
      return { to, title: "You used a recovery code", description, isLasting: true, headers };
    },
  }),
);

const INFO = { tone: "info" as const, isLasting: true };

async function startAgain(context: Route.LoaderArgs["context"], redirectTo: string | null) {
  const { env } = context.get(appContext);
  const headers = new Headers({ "Set-Cookie": await endSecondStep(env) });
  const description = "The code has to follow within ten minutes.";
  const toast = { title: "Please sign in again", description, ...INFO };
  return redirectWithToast(env, signInPath(redirectTo), toast, headers);
}

export default function Code({ loaderData, actionData }: Route.ComponentProps) {
  const { redirectTo, brandName } = loaderData;
  return (
    <AuthScreen
      title="Enter your code"
      lead={`Your authenticator app shows 6 digits for ${brandName}.`}
      isShort
    >
      <ShortForm
        hidden={{ redirectTo }}
        result={actionData}
        submit="Continue"
        pendingLabel="Checking..."
      >
        <CodeField
          {...fieldProps(actionData, "code")}
          label="code"
          hint="Phone not at hand? One of your recovery codes works too."
        />
      </ShortForm>
    </AuthScreen>
  );
}
