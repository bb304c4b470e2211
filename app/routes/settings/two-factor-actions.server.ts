import { data } from "react-router";
import { passwordInput } from "#app/features/accounts/input.ts";
import { WRONG_CODE } from "#app/features/accounts/rules.ts";
import type { Viewer } from "#app/features/accounts/sessions.server.ts";
import { checkCode, checkPassword } from "#app/features/accounts/sign-in.server.ts";
import {
  confirmTwoFactor,
  readSetup,
  renewRecoveryCodes,
  startTwoFactor,
  totpAddress,
  turnOffTwoFactor,
} from "#app/features/accounts/two-factor.server.ts";
import { fail, formActions, parseForm, type Posted } from "#app/forms/form-action.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { OUR_FAULT } from "#app/forms/messages.ts";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import { attemptOf, failTooMany } from "#app/routes/attempts.server.ts";
import { type App, appContext } from "#app/routes/context.server.ts";
import { logSecondFactor } from "#app/routes/security-log.server.ts";
import type { Route } from "./+types/two-factor";
import { qrCode } from "#app/routes/responses/qr-code.server.ts";
import { signInCookie } from "#app/routes/cookies.server.ts";

export interface TwoFactorResult extends FormResult {
  setup?: SetupView;
  /** Shown only once. */
  recoveryCodes?: string[];
}

export type SetupView = ReturnType<typeof toSetupView>;

/** `onSince` is null if it is off. */
type State = { viewer: Viewer; onSince: Date | null; isRequired: boolean };
type Args = Pick<Route.ActionArgs, "request" | "context"> & State & Posted;

const FAILED = { failed: "Nothing was changed", formError: OUR_FAULT, isRepeatUnsafe: true };

export const twoFactorAction = formActions({
  start: { ...FAILED, run: async (args: Args) => (args.onSince ? failChanged() : start(args)) },
  move: { ...FAILED, run: async (args: Args) => (args.onSince ? start(args) : failChanged()) },
  confirm: { ...FAILED, run: confirm },
  "recovery-codes": { ...FAILED, run: renewCodes },
  "turn-off": { ...FAILED, run: turnOff },
});

function failChanged() {
  const formError = "This has changed meanwhile. Please look again.";
  return fail<TwoFactorResult>(409, { formError });
}

async function start(args: Args) {
  const { viewer, onSince: replaces } = args;
  const app = args.context.get(appContext);
  const failed = await (replaces ? checkBoth : checkOwnPassword)(args);
  if (failed) return failed;
  const { secret, setup } = startTwoFactor(app, { userId: viewer.userId, replaces }, app.now());
  return data<TwoFactorResult>({ setup: toSetupView(app, viewer, secret, setup) });
}

async function confirm({ context, fields, viewer, onSince: replaces }: Args) {
  const app = context.get(appContext);
  const { userId, sessionId } = viewer;
  const { setup: sealed = "", code = "" } = fields;
  const secret = readSetup(app, { userId, replaces, setup: sealed }, app.now());
  if (!secret) return fail<TwoFactorResult>(409, { formError: SETUP_OVER });
  const given = { userId, replaces, sessionId, secret, code: code.replace(/\s/g, "") };
  const result = await confirmTwoFactor(app, given, app.now());
  if (result.ok) {
    const { recoveryCodes, session } = result;
    const headers = new Headers();
    if (session) headers.set("Set-Cookie", await signInCookie(app.env, session));
    return data<TwoFactorResult>({ recoveryCodes }, { headers });
  }
  if (result.reason === "changed") return failChanged();
  const setup = toSetupView(app, viewer, secret, sealed);
  return fail<TwoFactorResult>(422, { setup, fieldErrors: { code: WRONG_SETUP_CODE } });
}

const SETUP_OVER = "This took too long or has changed meanwhile. Please start again.";
const WRONG_SETUP_CODE =
  "Wrong code. Type the one your app shows now; the phone's clock must be right.";

async function renewCodes(args: Args) {
  if (!args.onSince) return failChanged();
  const failed = await checkBoth(args);
  if (failed) return failed;
  const recoveryCodes = await renewRecoveryCodes(args.context.get(appContext), args.viewer.userId);
  return recoveryCodes ? data<TwoFactorResult>({ recoveryCodes }) : failChanged();
}

async function turnOff(args: Args) {
  if (!args.onSince) return failChanged();
  if (args.isRequired) {
    const formError = "Admins need two-factor sign-in here, so it stays on.";
    return fail<TwoFactorResult>(409, { formError });
  }
  const failed = await checkBoth(args);
  if (failed) return failed;
  const app = args.context.get(appContext);
  await turnOffTwoFactor(app, args.viewer.userId);
  const toast = { title: "Two-factor sign-in is off", isLasting: true };
  return redirectWithToast(app.env, "/settings", toast);
}

/** Both are required: a stolen session or phone alone is not enough. */
async function checkBoth(args: Args) {
  const { request, context, fields, viewer } = args;
  const app = context.get(appContext);
  const code = fields.code?.trim();
  if (!code) return failField("code", "Code is required");
  const failed = await checkOwnPassword(args);
  if (failed) return failed;
  const from = await attemptOf({ request, context }, viewer.email);
  const checked = await checkCode(app, { userId: viewer.userId, code, ...from }, app.now());
  logSecondFactor(viewer.userId, checked);
  if (checked.ok) return null;
  if (checked.reason !== "too-many") return failField("code", WRONG_CODE);
  return failTooMany<TwoFactorResult>(checked.retryAfterSeconds);
}

async function checkOwnPassword({ request, context, fields, viewer: { email } }: Args) {
  const app = context.get(appContext);
  const { password } = parseForm(passwordInput, fields);
  const proof = { email, password, ...(await attemptOf({ request, context }, email)) };
  const result = await checkPassword(app, proof, app.now());
  if (result.ok) return null;
  if (result.reason !== "too-many") return failField("password", "Wrong password");
  return failTooMany<TwoFactorResult>(result.retryAfterSeconds);
}

function failField(name: "code" | "password", message: string) {
  return fail<TwoFactorResult>(422, { fieldErrors: { [name]: message } });
}

function toSetupView({ env }: App, { email }: Viewer, secret: string, sealed: string) {
  const address = totpAddress(secret, { brandName: env.brandName, email });
  return {
    /** An encrypted secret that is sent back with the code. */
    sealed,
    /** The otpauth: URL, for an app on the same device. */
    address,
    key: secret.match(/.{1,4}/g)!.join(" "),
    qrCode: qrCode(address),
  };
}
