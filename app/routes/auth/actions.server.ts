import { data, redirect } from "react-router";
import { addressInput, signInInput } from "#app/features/accounts/input.ts";
import { SECOND_STEP_MINUTES } from "#app/features/accounts/rules.ts";
import type { OpenedSession } from "#app/features/accounts/sessions.server.ts";
import { type SecondStep, type SignedIn, signIn } from "#app/features/accounts/sign-in.server.ts";
import { resendConfirmation } from "#app/features/accounts/sign-ups.server.ts";
import { signUpInput } from "#app/features/players/input.ts";
import { registerPlayer } from "#app/features/players/sign-up.server.ts";
import { recallDebt } from "#app/features/wallet/debts.server.ts";
import { fail, formActions, parseForm, type Posted } from "#app/forms/form-action.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { OUR_FAULT } from "#app/forms/messages.ts";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import { helsinkiDate } from "#app/platform/clock.ts";
import { type CookieEnv, signedCookie } from "#app/platform/signed-cookie.server.ts";
import { attemptOf, failTooMany } from "#app/routes/attempts.server.ts";
import { addressContext, type App, appContext } from "#app/routes/context.server.ts";
import {
  claimDevice,
  readSessionCookie,
  signInCookie,
  signUpBrowser,
  signUpCookie,
} from "#app/routes/cookies.server.ts";
import { getViewer } from "#app/routes/guards.server.ts";
import { guessablePasswordProblem } from "#app/routes/guessable-password.server.ts";
import { redirectOnwards, safeRedirectTo } from "#app/routes/safe-redirect.ts";
import { logSecurityEvent } from "#app/routes/security-log.server.ts";
import type { Route } from "./+types/auth";
import { redirectToOf, withQuery } from "./auth-path.ts";

export interface AuthResult extends FormResult {
  /** On success: shown instead of the form, and in a toast. */
  notice?: { title: string; description: string };
  /** An unconfirmed sign-up, whose link can be sent again. */
  unconfirmed?: { email: string; signUpId: string };
}

type Args = Pick<Route.ActionArgs, "request" | "context">;

const SIGN_UP_FIELDS = [
  ...["email", "firstName", "lastName", "dateOfBirth", "schoolYear", "major", "phone"],
];

export const AUTH_FORM = { isForAnyone: true, isRepeatUnsafe: true, formError: OUR_FAULT };

export const authAction = formActions({
  "sign-in": { failed: "Sign in failed", keep: ["email"], ...AUTH_FORM, run: enter },
  "sign-up": { failed: "Sign up failed", keep: SIGN_UP_FIELDS, ...AUTH_FORM, run: signUp },
  resend: { failed: "Nothing was sent", keep: ["email"], ...AUTH_FORM, run: resend },
});

async function enter({ request, context, fields }: Args & Posted) {
  const app = context.get(appContext);
  const input = parseForm(signInInput, fields, 401);
  const from = await attemptOf({ request, context }, input.email);
  const browserHash = await signUpBrowser(app.env, request);
  const userAgent = request.headers.get("User-Agent");
  const redirectTo = redirectToOf(request, fields);
  const result = await signIn(app, { ...input, ...from, browserHash, userAgent }, app.now());
  if (!result.ok && result.reason === "second-factor") {
    logSecurityEvent("password right, code owed", { userId: result.step.userId });
    return askForCode(app, result.step, redirectTo);
  }
  const addressHash = app.accounts.hashEmail(input.email);
  if (!result.ok) {
    const networkHash = app.accounts.hashNetwork(from.address);
    logSecurityEvent("sign-in failed", { addressHash, networkHash, reason: result.reason });
    return failSignIn(result, fields.email ?? "", app.env.contactEmail);
  }
  logSecurityEvent("signed in", { addressHash });
  const headers = await signedInHeaders({ request, context }, result.session, input.email);
  return redirectOnwards(redirectTo ?? "/events", headers);
}

type SignInFailed = Exclude<SignedIn & { ok: false }, { reason: "second-factor" }>;

function failSignIn(result: SignInFailed, email: string, contact: string) {
  if (result.reason === "too-many") return failTooMany<AuthResult>(result.retryAfterSeconds);
  if (result.reason === "suspended") {
    const formError = `Your account is suspended. Contact ${contact}.`;
    return fail<AuthResult>(401, { formError });
  }
  if (result.reason === "not-confirmed") {
    const formError = "Please confirm your email address first.";
    const unconfirmed = { email, signUpId: result.signUpId };
    return fail<AuthResult>(401, { formError, unconfirmed });
  }
  return fail<AuthResult>(401, { formError: "Wrong email or password." });
}

async function signUp({ request, context, fields }: Args & Posted) {
  const app = context.get(appContext);
  const { schoolDomains } = app.env;
  const shape = signUpInput({ schoolDomains, today: helsinkiDate(app.now()) });
  const input = parseForm(shape, fields);
  const problem = guessablePasswordProblem(app.env, input);
  if (problem) return fail<AuthResult>(422, { fieldErrors: { password: problem } });
  const { browserHash, setCookie } = await signUpCookie(app.env, request);
  const redirectTo = redirectToOf(request, fields);
  const address = context.get(addressContext);
  const wish = { ...input, address, browserHash, redirectTo, proof: fields.proof };
  const result = await registerPlayer({ ...app, recallDebt }, wish, app.now());
  const { email } = input;
  if (!result.ok && result.reason === "too-many") {
    return failTooMany<AuthResult>(result.retryAfterSeconds);
  }
  if (!result.ok) {
    const formError = "This email is already registered. Please try signing in or contact support.";
    return fail<AuthResult>(422, { formError });
  }
  if (result.userId) {
    const confirmed = { userId: result.userId, email, redirectTo };
    return redirectConfirmed({ request, context }, confirmed);
  }
  const description = result.resent ? LINK_SENT_AGAIN : "We sent you a confirmation link.";
  const notice = { title: "Check your email", description };
  const headers = { "Set-Cookie": setCookie };
  return data<AuthResult>({ form: "sign-up", notice, values: { email } }, { headers });
}

const LINK_SENT_AGAIN = "We sent you a new confirmation link.";

/** Sends the link again; the result does not reveal whether the address is known. */
async function resend({ request, context, fields }: Args & Posted) {
  const app = context.get(appContext);
  const { email } = parseForm(addressInput, fields);
  const browserHash = await signUpBrowser(app.env, request);
  const redirectTo = redirectToOf(request, fields);
  const address = context.get(addressContext);
  const wish = { email, address, browserHash, redirectTo, preferredId: fields.signUpId };
  const result = await resendConfirmation(app, wish, app.now());
  if (!result.ok) return failTooMany<AuthResult>(result.retryAfterSeconds);
  const notice = { title: "Check your email", description: LINK_SENT_AGAIN };
  return data<AuthResult>({ form: "resend", notice, values: { email } });
}

// To where a confirmed sign-up began, signed in. Anybody who is signed in already stays so: a link sent
// by somebody else must not swap the account.
export async function redirectConfirmed(
  { request, context }: Args,
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
  { request, context }: Args,
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
