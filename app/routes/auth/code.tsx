import { Form, redirect, useNavigation } from "react-router";
import { WRONG_CODE } from "#app/features/accounts/rules.ts";
import {
  findStepAccount,
  passSecondStep,
  type StepAccount,
} from "#app/features/accounts/sign-in.server.ts";
import { findTwoFactor, isRecoveryCode } from "#app/features/accounts/two-factor.server.ts";
import { Button } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/field.tsx";
import { addressContext, type App, appContext } from "#app/routes/context.server.ts";
import { knownDevice, readSessionCookie } from "#app/routes/cookies.server.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import { formFields } from "#app/forms/form-fields.server.ts";
import { getViewer, owedFactor } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { safeRedirectTo } from "#app/routes/safe-redirect.ts";
import { logSecondFactor } from "#app/routes/security-log.server.ts";
import type { Route } from "./+types/code";
import { broke, refuse, signedInHeaders, tooMany } from "./answers.server.ts";
import { AuthScreen } from "./auth-screen.tsx";
import { FormFailure, fieldId, useAnswerToast } from "./outcome.tsx";
import { endSecondStep, readSecondStep } from "./second-step-cookie.server.ts";

export { pageHeaders as headers } from "./page-headers.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Enter your code", path: "/auth/code", noindex: true });

export async function loader({ request, context }: Route.LoaderArgs) {
  await requireOwedCode(request, context);
  const redirectTo = safeRedirectTo(new URL(request.url).searchParams.get("redirectTo"));
  return { redirectTo, brandName: context.get(appContext).env.brandName };
}

/** The second step of a sign-in, or what a session makes up for that began without it. */
export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const account = await requireOwedCode(request, context);
  const { code = "", redirectTo } = await formFields(request);
  if (!code.trim()) return refuse({ form: "code", errors: { code: "Code is required" } }, 422);
  const device = await knownDevice(app.env, request, app.accounts.personOf(account.email));
  const userAgent = request.headers.get("User-Agent");
  const guess = { account, code, device, userAgent, address: context.get(addressContext) };
  try {
    const result = await passSecondStep(app, guess, app.now());
    logSecondFactor(account.userId, result);
    if (!result.ok && result.reason === "too-many") {
      return tooMany({ form: "code" }, result.retryAfterSeconds);
    }
    if (!result.ok && result.reason === "over") return startAgain(context);
    if (!result.ok) return refuse({ form: "code", failure: WRONG_CODE }, 401);
    // The browser has another session from now on; the one it brought is of no use to anybody.
    const former = await readSessionCookie(app.env, request);
    if (former) await app.accounts.closeSession(former);
    const person = app.accounts.personOf(account.email);
    const headers = await signedInHeaders({ app, request }, { session: result.session, person });
    if (isRecoveryCode(code)) headers.append("Set-Cookie", await codesLeft(app, account.userId));
    return redirect(safeRedirectTo(redirectTo) ?? "/events", { headers });
  } catch (error) {
    return broke({ form: "code" })(error);
  }
}

/** The flash of how many recovery codes there are still. */
async function codesLeft({ db, env }: App, userId: string) {
  const left = (await findTwoFactor(db, userId))?.codesLeft ?? 0;
  const description = `${left} ${left === 1 ? "is" : "are"} left.`;
  return toastCookie(env, { title: "You used a recovery code", description });
}

/** Whose code is owed: after the right password, or of a session that never gave one. */
async function requireOwedCode(
  request: Request,
  context: Route.LoaderArgs["context"],
): Promise<StepAccount> {
  const { db, env, now } = context.get(appContext);
  const step = await readSecondStep(env, request, now());
  const account = step && (await findStepAccount(db, step));
  if (account) return account;
  const viewer = await getViewer(context);
  const isOwed = viewer && owedFactor(viewer, env) === "code";
  const own = isOwed && (await findStepAccount(db, { userId: viewer.userId }));
  if (own) return own;
  const redirectTo = safeRedirectTo(new URL(request.url).searchParams.get("redirectTo"));
  if (viewer) throw redirect(redirectTo ?? "/events");
  throw await startAgain(context);
}

async function startAgain(context: Route.LoaderArgs["context"]) {
  const { env } = context.get(appContext);
  const headers = new Headers();
  headers.append("Set-Cookie", await toastCookie(env, TOO_LATE));
  headers.append("Set-Cookie", await endSecondStep(env));
  return redirect("/auth", { headers });
}

const TOO_LATE = {
  title: "Please sign in again",
  description: "The code has to follow within ten minutes.",
  tone: "info" as const,
};

export default function Code({ loaderData, actionData }: Route.ComponentProps) {
  const pending = useNavigation().state === "submitting";
  useAnswerToast(actionData);
  const { redirectTo, brandName } = loaderData;
  return (
    <AuthScreen
      title="Enter your code"
      lead={`Your authenticator app shows 6 digits for ${brandName}.`}
      back={{ to: "/auth", label: "Sign In" }}
      isShort
    >
      <Form method="post" noValidate className="grid gap-4">
        {redirectTo && <input type="hidden" name="redirectTo" value={redirectTo} />}
        <TextField
          id={fieldId("code", "code")}
          label="code"
          hint="Phone not at hand? One of your recovery codes works too."
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          required
          error={actionData?.errors?.code}
        />
        <FormFailure answer={actionData} prefix="code" />
        <Button variant="primary" size="lg" wide pending={pending} pendingLabel="Checking...">
          Continue
        </Button>
      </Form>
    </AuthScreen>
  );
}
