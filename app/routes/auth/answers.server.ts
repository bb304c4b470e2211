import { data, redirect } from "react-router";
import { addressInput, checkForm, signInInput } from "#app/features/accounts/input.ts";
import { resendConfirmation } from "#app/features/accounts/sign-ups.server.ts";
import { tooManyAttempts } from "#app/features/accounts/rules.ts";
import type { OpenedSession, Viewer } from "#app/features/accounts/sessions.server.ts";
import { type SignedIn, signIn } from "#app/features/accounts/sign-in.server.ts";
import { signUpInput } from "#app/features/players/input.ts";
import { registerPlayer } from "#app/features/players/sign-up.server.ts";
import { helsinkiDate } from "#app/platform/clock.ts";
import { log } from "#app/platform/log.server.ts";
import { BusyError } from "#app/platform/turns.server.ts";
import type { App } from "#app/routes/context.server.ts";
import {
  deviceCookie,
  knownDevice,
  signInCookie,
  signUpBrowser,
  signUpCookie,
} from "#app/routes/cookies.server.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import { echoOf } from "#app/forms/form-fields.server.ts";
import { TOO_MANY_SIGN_INS } from "#app/forms/messages.ts";
import { throwUnknownOnce } from "#app/forms/unknown-outcome.server.ts";
import { ownWordProblem } from "#app/routes/own-words.server.ts";
import { safeRedirectTo } from "#app/routes/safe-redirect.ts";
import { logSecurityEvent } from "#app/routes/security-log.server.ts";
import { askForCode, endSecondStep } from "./second-step-cookie.server.ts";
import type { Answer } from "./answer.ts";
import { recallDebt } from "#app/features/wallet/debts.server.ts";

/** A posted form of /auth and who sent it. */
export interface Posted {
  app: App;
  request: Request;
  fields: Record<string, string>;
  /** The client's network address. */
  address: string;
  findViewer(): Promise<Viewer | null>;
}

export async function answerSignIn({ app, request, fields, address }: Posted) {
  const checked = checkForm(signInInput, fields);
  const values = kept(fields);
  if (!checked.ok) return refuse({ form: "sign-in", errors: checked.errors, values }, 401);
  const person = app.accounts.personOf(checked.input.email);
  const device = await knownDevice(app.env, request, person);
  const browserHash = await signUpBrowser(app.env, request);
  const userAgent = request.headers.get("User-Agent");
  const attempt = { ...checked.input, address, device, browserHash, userAgent };
  const result = await signIn(app, attempt, app.now());
  if (!result.ok && result.reason === "second-factor") {
    logSecurityEvent("password right, code owed", { userId: result.step.userId });
    return askForCode(app, result.step, safeRedirectTo(fields.redirectTo));
  }
  const addressHash = app.accounts.hashEmail(checked.input.email);
  if (!result.ok) {
    logSecurityEvent("sign-in failed", { addressHash, reason: result.reason });
    return refuseSignIn(result, values, app.env.contactEmail);
  }
  logSecurityEvent("signed in", { addressHash });
  const headers = await signedInHeaders({ app, request }, { session: result.session, person });
  return redirect(safeRedirectTo(fields.redirectTo) ?? "/events", { headers });
}

export async function answerSignUp(posted: Posted) {
  const { app, request, fields, address } = posted;
  const { schoolDomains } = app.env;
  const shape = signUpInput({ schoolDomains, today: helsinkiDate(app.now()) });
  const checked = checkForm(shape, fields);
  const values = kept(fields);
  if (!checked.ok) return refuse({ form: "sign-up", errors: checked.errors, values }, 422);
  const problem = ownWordProblem(app.env, checked.input);
  if (problem) return refuse({ form: "sign-up", errors: { password: problem }, values }, 422);
  const { browserHash, setCookie } = await signUpCookie(app.env, request);
  const redirectTo = safeRedirectTo(fields.redirectTo ?? queryOf(request, "redirectTo"));
  const signUp = { ...checked.input, address, browserHash, redirectTo, proof: fields.proof };
  const result = await registerPlayer({ ...app, recallMore: recallDebt }, signUp, app.now());
  const { email } = checked.input;
  if (result.ok && result.userId) {
    return redirectConfirmed(posted, { userId: result.userId, email, redirectTo });
  }
  if (result.ok) {
    const description = result.resent ? LINK_SENT_AGAIN : "We sent you a confirmation link.";
    const notice = { title: "Check your email", description };
    const headers = { "Set-Cookie": setCookie };
    return data<Answer>({ form: "sign-up", notice, values: { email } }, { headers });
  }
  if (result.reason === "too-many") {
    return tooMany({ form: "sign-up", values }, result.retryAfterSeconds);
  }
  return refuse({ form: "sign-up", failure: NOTHING_SENT, values }, 422);
}

/** Sends the confirmation link again; the answer does not tell whether the address is known. */
export async function answerResend({ app, request, fields, address }: Posted) {
  const checked = checkForm(addressInput, fields);
  const values = kept(fields);
  if (!checked.ok) return refuse({ form: "resend", errors: checked.errors, values }, 422);
  const browserHash = await signUpBrowser(app.env, request);
  const { email } = checked.input;
  const asked = { email, address, browserHash, preferredId: fields.signUpId };
  const result = await resendConfirmation(app, asked, app.now());
  if (!result.ok) {
    return tooMany({ form: "resend", values }, result.retryAfterSeconds);
  }
  const notice = { title: "Check your email", description: LINK_SENT_AGAIN };
  return data<Answer>({ form: "resend", notice, values });
}

/**
 * To where a confirmed sign-up began, signed in. Whoever is signed in already stays who they are,
 * so that a link sent by somebody else cannot swap the account.
 */
export async function redirectConfirmed(
  { app, request, findViewer }: Pick<Posted, "app" | "request" | "findViewer">,
  { userId, email, redirectTo }: { userId: string; email: string; redirectTo: string | null },
) {
  const viewer = await findViewer();
  let headers = new Headers();
  if (!viewer) {
    const userAgent = request.headers.get("User-Agent");
    const session = await app.accounts.openSession(userId, { userAgent });
    logSecurityEvent("signed in", { userId, reason: "confirmed" });
    const person = app.accounts.personOf(email);
    headers = await signedInHeaders({ app, request }, { session, person });
  }
  headers.append("Set-Cookie", await toastCookie(app.env, confirmedNotice(email, viewer)));
  return redirect(safeRedirectTo(redirectTo) ?? "/", { headers });
}

/** The cookies of a new session. Somebody else's sign-in that waits for its code here is over. */
export async function signedInHeaders(
  { app: { env }, request }: Pick<Posted, "app" | "request">,
  { session, person }: { session: OpenedSession; person: string },
): Promise<Headers> {
  const headers = new Headers();
  headers.append("Set-Cookie", await signInCookie(env, session));
  headers.append("Set-Cookie", await deviceCookie(env, request, person));
  headers.append("Set-Cookie", await endSecondStep(env));
  return headers;
}

function confirmedNotice(email: string, viewer: Viewer | null) {
  if (!viewer) return { title: "Your email is confirmed" };
  const description = `You are still signed in as ${viewer.email}. Log out to use the new account.`;
  return { title: `${email} is confirmed`, description };
}

/** 429 with Retry-After, and the same in words. */
export function tooMany(answer: Answer, seconds: number) {
  const init = { status: 429, headers: { "Retry-After": String(seconds) } };
  return data<Answer>({ ...answer, failure: tooManyAttempts(seconds) }, init);
}

/** For what breaks on our side: the log says what, and the form stays as it was typed. */
export function broke(answer: Answer) {
  return (error: unknown) => {
    throwUnknownOnce(error);
    log.error({ err: error, form: answer.form }, "answering an account form");
    const isBusy = error instanceof BusyError;
    const failure = isBusy ? TOO_MANY_SIGN_INS : BROKE;
    return refuse({ ...answer, failure }, isBusy ? 503 : 500);
  };
}

export function refuse(answer: Answer, status: number) {
  return data<Answer>(answer, { status });
}

/** What a refused form shows again: everything but the passwords. */
export function kept(fields: Record<string, string>): Record<string, string> {
  return echoOf(fields, SHOWN_AGAIN);
}

const SHOWN_AGAIN = [
  ...["email", "firstName", "lastName", "dateOfBirth", "schoolYear", "major", "phone"],
];

function queryOf(request: Request, name: string): string | null {
  return new URL(request.url).searchParams.get(name);
}

function refuseSignIn(
  result: Exclude<SignedIn & { ok: false }, { reason: "second-factor" }>,
  values: Record<string, string>,
  contact: string,
) {
  if (result.reason === "too-many") {
    return tooMany({ form: "sign-in", values }, result.retryAfterSeconds);
  }
  if (result.reason === "suspended") {
    const failure = `Your account is suspended. Contact ${contact}.`;
    return refuse({ form: "sign-in", failure, values }, 401);
  }
  if (result.reason === "not-confirmed") {
    const failure = "Please confirm your email address first.";
    const unconfirmed = values.email ?? "";
    const { signUpId } = result;
    return refuse({ form: "sign-in", failure, values, unconfirmed, signUpId }, 401);
  }
  return refuse({ form: "sign-in", failure: "Wrong email or password.", values }, 401);
}

const LINK_SENT_AGAIN = "We sent you a new confirmation link.";
const BROKE = "Something went wrong on our side. Please try again.";
const NOTHING_SENT = "This email is already registered. Please try signing in or contact support.";
