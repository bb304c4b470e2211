import { redirect } from "react-router";
import { addressInput, signInInput } from "#app/features/accounts/input.ts";
import { SECOND_STEP_MINUTES } from "#app/features/accounts/rules.ts";
import type { OpenedSession } from "#app/features/accounts/sessions.server.ts";
import { type SecondStep, type SignedIn, signIn } from "#app/features/accounts/sign-in.server.ts";
import { resendConfirmation } from "#app/features/accounts/sign-ups.server.ts";
import { signUpInput } from "#app/features/players/input.ts";
import { registerPlayer } from "#app/features/players/sign-up.server.ts";
import { recallDebt } from "#app/features/wallet/debts.server.ts";
import {
  type ActionArgs,
  formActions,
  parseForm,
  type Posted,
} from "#app/forms/form-action.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { formRows } from "#app/forms/form-rows.server.ts";
import { OUR_FAULT } from "#app/forms/messages.ts";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import { helsinkiDate } from "#app/platform/clock.ts";
import { type CookieEnv, signedCookie } from "#app/platform/signed-cookie.server.ts";
import { attemptOf, tooMany } from "#app/routes/security/attempts.server.ts";
import { addressContext, type App, appContext } from "#app/routes/context.server.ts";
import {
  claimDevice,
  readSessionCookie,
  signInCookie,
  signUpBrowser,
  signUpCookie,
} from "#app/routes/cookies.server.ts";
import { getViewer } from "#app/routes/guards.server.ts";
import { rejectGuessable } from "#app/routes/security/guessable-password.server.ts";
import { redirectOnwards, safeRedirectTo } from "#app/routes/safe-redirect.ts";
import { logSecurityEvent } from "#app/routes/security/security-log.server.ts";
import type { Route } from "./+types/auth";
import { redirectToOf, withQuery } from "#app/routes/auth-path.ts";

export interface AuthResult extends FormResult {
  /** On success: shown instead of the form, and in a toast. */
  notice?: { title: string; description: string };
  /** An unconfirmed sign-up, whose link can be sent again. */
  unconfirmed?: { email: string; signUpId: string };
}

type AuthArgs = Pick<Route.ActionArgs, "request" | "context">;

export const AUTH_FORM = { isForAnyone: true, isRepeatUnsafe: true, formError: OUR_FAULT };

function visitorOf(args: ActionArgs & Posted) {
  const { request, context, fields } = args;
  const address = context.get(addressContext);
  return { ...context.get(appContext), address, redirectTo: redirectToOf(request, fields) };
}

/** Forms of visitors; `R` is what the page shows. */
export const visitorRows = <R extends FormResult = FormResult>() =>
  formRows<ActionArgs & Posted, ReturnType<typeof visitorOf>, R>(visitorOf);

const row = visitorRows<AuthResult>();

export const authAction = formActions({
  "sign-in": row({
    ...{ failed: "Sign in failed", keep: ["email"], ...AUTH_FORM },
    input: ({ fields }) => parseForm(signInInput, fields, 401),
    run: async ({ request, context, input, ...app }) => {
      const from = await attemptOf({ request, context }, input.email);
      const browserHash = await signUpBrowser(app.env, request);
      const userAgent = request.headers.get("User-Agent");
      const result = await signIn(app, { ...input, ...from, browserHash, userAgent }, app.now());
      logSignIn(app, result, input.email, from.address);
      return result;
    },
    errors: {
      "second-factor": ({ step }, app) => askForCode(app, step, app.redirectTo),
      "too-many": tooMany,
      "wrong-credentials": ["unproven", "Wrong email or password."],
      suspended: (_, { env }) => [
        "unproven",
        `Your account is suspended. Contact ${env.contactEmail}.`,
      ],
      "not-confirmed": ({ signUpId }, { fields: { email = "" } }) => [
        "unproven",
        {
          formError: "Please confirm your email address first.",
          unconfirmed: { email, signUpId },
        },
      ],
    },
    done: async ({ session }, { redirectTo, input, ...args }) =>
      redirectOnwards(redirectTo ?? "/events", await signedInHeaders(args, session, input.email)),
  }),
  "sign-up": row({
    failed: "Sign up failed",
    keep: ["email", "firstName", "lastName", "dateOfBirth", "schoolYear", "major", "phone"],
    ...AUTH_FORM,
    input: ({ env, now, fields }) => {
      const shape = { schoolDomains: env.schoolDomains, today: helsinkiDate(now()) };
      const input = parseForm(signUpInput(shape), fields);
      rejectGuessable(env, { field: "password", ...input });
      return input;
    },
    run: async ({ request, input, address, redirectTo, fields: { proof }, ...app }) => {
      const { browserHash, setCookie } = await signUpCookie(app.env, request);
      const wish = { ...input, address, browserHash, redirectTo, proof };
      const result = await registerPlayer({ ...app, recallDebt }, wish, app.now());
      return { ...result, setCookie };
    },
    errors: {
      "too-many": tooMany,
      "nothing-sent": [
        "invalid",
        "This email is already registered. Please try signing in or contact support.",
      ],
    },
    done: async ({ userId, resent, setCookie }, { input: { email }, redirectTo, ...args }) => {
      if (userId) return redirectConfirmed(args, { userId, email, redirectTo });
      const description = resent ? LINK_SENT_AGAIN : "We sent you a confirmation link.";
      const notice = { title: "Check your email", description };
      const headers = { "Set-Cookie": setCookie };
      return { shows: { form: "sign-up", notice, values: { email } }, headers };
    },
  }),
  // Sends the link again; the result does not reveal whether the address is known.
  resend: row({
    ...{ failed: "Nothing was sent", keep: ["email"], ...AUTH_FORM },
    input: addressInput,
    run: async ({ request, input, address, redirectTo, fields, ...app }) => {
      const browserHash = await signUpBrowser(app.env, request);
      const link = { address, browserHash, redirectTo, preferredId: fields.signUpId };
      return resendConfirmation(app, { ...input, ...link }, app.now());
    },
    errors: { "too-many": tooMany },
    done: (_, { input }) => ({
      shows: {
        form: "resend",
        notice: { title: "Check your email", description: LINK_SENT_AGAIN },
        values: input,
      },
    }),
  }),
});

const LINK_SENT_AGAIN = "We sent you a new confirmation link.";

function logSignIn({ accounts }: App, result: SignedIn, email: string, address: string): void {
  const addressHash = accounts.hashEmail(email);
  if (result.ok) return logSecurityEvent("signed in", { addressHash });
  if (result.reason === "second-factor") {
    return logSecurityEvent("password right, code owed", { userId: result.step.userId });
  }
  const networkHash = accounts.hashNetwork(address);
  logSecurityEvent("sign-in failed", { addressHash, networkHash, reason: result.reason });
}

// To where a confirmed sign-up began, signed in. Anybody who is signed in already stays so: a link sent
// by somebody else must not swap the account.
export async function redirectConfirmed(
  { request, context }: AuthArgs,
  { userId, email, redirectTo }: { userId: string; email: string; redirectTo: string | null },
) {
  const app = context.get(appContext);
  const to = safeRedirectTo(redirectTo) ?? "/";
  const viewer = await getViewer(context);
  if (viewer) {
    const description = `You are still signed in as ${viewer.email}. Log out to use the new account.`;
    const toast = { title: `${email} is confirmed`, description, isLasting: true };
    return redirectWithToast(app.env, to, toast);
  }
  const userAgent = request.headers.get("User-Agent");
  const session = await app.accounts.openSession(userId, { userAgent });
  logSecurityEvent("signed in", { userId, reason: "confirmed" });
  const headers = await signedInHeaders({ request, context }, session, email);
  return redirectWithToast(app.env, to, { title: "Your email is confirmed" }, headers);
}

// The cookies of a new session. Ends this browser's former one, and a sign-in that waits for its
// code.
export async function signedInHeaders(
  { request, context }: AuthArgs,
  session: OpenedSession,
  email: string,
): Promise<Headers> {
  const { env, accounts } = context.get(appContext);
  const former = await readSessionCookie(env, request);
  if (former) await accounts.closeSession(former);
  const headers = new Headers();
  headers.append("Set-Cookie", await signInCookie(env, session));
  await claimDevice(headers, env, request, accounts.personOf(email));
  headers.append("Set-Cookie", await endSecondStep(env));
  return headers;
}

/** After the right password: to the code page, without a session yet. */
async function askForCode({ env, now }: App, step: SecondStep, redirectTo: string | null) {
  const until = now().getTime() + SECOND_STEP_MINUTES * 60_000;
  const text = [step.userId, step.passwordMark, until].join(".");
  const setCookie = await stepCookie(env).write(text, { maxAge: SECOND_STEP_MINUTES * 60 });
  const to = withQuery("/auth/code", { redirectTo });
  return redirect(to, { headers: { "Set-Cookie": setCookie } });
}

/** The sign-in that waits for its code, for ten minutes. */
export async function readSecondStep({ env, now }: App, request: Request) {
  const text = await stepCookie(env).read(request);
  const [userId, passwordMark, until] = text?.split(".") ?? [];
  const isOver = !(Number(until) > now().getTime());
  return userId && passwordMark && !isOver ? { userId, passwordMark } : null;
}

export function endSecondStep(env: CookieEnv): Promise<string> {
  return stepCookie(env).clear();
}

const stepCookie = (env: CookieEnv) => signedCookie(env, "second-step");
