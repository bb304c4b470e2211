import { data, redirect, type RouterContextProvider } from "react-router";
import { encode } from "uqr";
import { checkPassword, checkCode } from "#app/features/accounts/sign-in.server.ts";
import { checkForm, passwordInput } from "#app/features/accounts/input.ts";
import { WRONG_CODE } from "#app/features/accounts/rules.ts";
import type { Viewer } from "#app/features/accounts/sessions.server.ts";
import {
  totpAddress,
  confirmTwoFactor,
  readSetup,
  renewRecoveryCodes,
  startTwoFactor,
  turnOffTwoFactor,
} from "#app/features/accounts/two-factor.server.ts";
import { addressContext, type App, appContext } from "#app/routes/context.server.ts";
import { toastCookie } from "#app/forms/toast.server.ts";
import { logSecondFactor } from "#app/routes/security-log.server.ts";
import { signInCookie } from "#app/routes/cookies.server.ts";
import { refuse, tooMany } from "./answers.server.ts";
import { readProof } from "./proof.server.ts";
import type { ShownSetup, TwoFactorAnswer } from "./two-factor-answer.ts";

interface Posted {
  request: Request;
  context: Readonly<RouterContextProvider>;
  fields: Record<string, string>;
}

interface State {
  viewer: Viewer;
  /** Since when it is on, or null. */
  onSince: Date | null;
  isRequired: boolean;
}

/** What the forms of the page ask for. */
export function isTwoFactorIntent(intent: string | undefined): boolean {
  return ["start", "move", "confirm", "recovery-codes", "turn-off"].includes(intent ?? "");
}

/** Does what a form of the page asks for, as far as the state of things allows it. */
export async function actOnTwoFactor(posted: Posted, state: State) {
  const { intent } = posted.fields;
  if (intent === "start" && !state.onSince) return start(posted, state);
  if (intent === "move" && state.onSince) return start(posted, state);
  if (intent === "confirm") return confirm(posted, state);
  if (intent === "recovery-codes" && state.onSince) return renewCodes(posted, state);
  if (intent === "turn-off" && state.onSince) return turnOff(posted, state);
  return refuse({ failure: CHANGED }, 409);
}

async function start(posted: Posted, { viewer, onSince: replaces }: State) {
  const app = posted.context.get(appContext);
  const problem = await (replaces ? proofProblem : passwordProblem)(posted, viewer);
  if (problem) return problem;
  const { secret, setup } = startTwoFactor(app, { userId: viewer.userId, replaces }, app.now());
  return answer({ setup: shownSetup(app, viewer, { secret, sealed: setup }) }, 200);
}

async function confirm({ context, fields }: Posted, { viewer, onSince: replaces }: State) {
  const app = context.get(appContext);
  const { userId, sessionId } = viewer;
  const { setup: sealed = "", code = "" } = fields;
  const secret = readSetup(app, { userId, replaces, setup: sealed }, app.now());
  if (!secret) return refuse({ failure: SETUP_OVER }, 409);
  const given = { userId, replaces, sessionId, secret, code: code.replace(/\s/g, "") };
  const result = await confirmTwoFactor(app, given, app.now());
  if (result.ok) {
    const { recoveryCodes, session } = result;
    const headers = new Headers();
    if (session) headers.set("Set-Cookie", await signInCookie(app.env, session));
    return data<TwoFactorAnswer>({ recoveryCodes }, { headers });
  }
  if (result.reason === "changed") return refuse({ failure: CHANGED }, 409);
  const setup = shownSetup(app, viewer, { secret, sealed });
  return answer({ setup, errors: { code: WRONG_SETUP_CODE } }, 422);
}

const SETUP_OVER = "This took too long or has changed meanwhile. Please start again.";
const WRONG_SETUP_CODE =
  "Wrong code. Type the one your app shows now; the phone's clock must be right.";

async function renewCodes(posted: Posted, { viewer }: State) {
  const problem = await proofProblem(posted, viewer);
  if (problem) return problem;
  const recoveryCodes = await renewRecoveryCodes(posted.context.get(appContext), viewer.userId);
  return recoveryCodes ? answer({ recoveryCodes }, 200) : refuse({ failure: CHANGED }, 409);
}

async function turnOff(posted: Posted, { viewer, isRequired }: State) {
  if (isRequired) {
    return refuse({ failure: "Admins need two-factor sign-in here, so it stays on." }, 409);
  }
  const problem = await proofProblem(posted, viewer);
  if (problem) return problem;
  const app = posted.context.get(appContext);
  await turnOffTwoFactor(app, viewer.userId);
  const flash = await toastCookie(app.env, { title: "Two-factor sign-in is off" });
  return redirect("/settings", { headers: { "Set-Cookie": flash } });
}

/** Password and code: whoever borrows a session has neither, whoever has the phone not both. */
async function proofProblem(posted: Posted, viewer: Viewer) {
  const { context, request, fields } = posted;
  const app = context.get(appContext);
  const code = fields.code?.trim();
  if (!code) return refuse({ errors: { code: "Code is required" } }, 422);
  const problem = await passwordProblem(posted, viewer);
  if (problem) return problem;
  const { device } = await readProof(context, request, viewer, "");
  const guess = { userId: viewer.userId, code, device, address: context.get(addressContext) };
  const checked = await checkCode(app, guess, app.now());
  logSecondFactor(viewer.userId, checked);
  if (checked.ok) return null;
  if (checked.reason === "too-many") return tooMany(checked.retryAfterSeconds);
  return refuse({ errors: { code: WRONG_CODE } }, 422);
}

async function passwordProblem({ context, request, fields }: Posted, viewer: Viewer) {
  const app = context.get(appContext);
  const checked = checkForm(passwordInput, fields);
  if (!checked.ok) return refuse({ errors: checked.errors }, 422);
  const proof = await readProof(context, request, viewer, checked.input.password);
  const result = await checkPassword(app, proof, app.now());
  if (result.ok) return null;
  if (result.reason === "too-many") return tooMany(result.retryAfterSeconds);
  return refuse({ errors: { password: "Wrong password" } }, 422);
}

const CHANGED = "This has changed meanwhile. Please look again.";

function answer(what: TwoFactorAnswer, status: number) {
  return data<TwoFactorAnswer>(what, { status });
}

function shownSetup(
  { env }: App,
  { email }: Viewer,
  { secret, sealed }: { secret: string; sealed: string },
): ShownSetup {
  const address = totpAddress(secret, { brandName: env.brandName, email });
  const { data: rows, size } = encode(address, { ecc: "M", border: 4 });
  const squares = rows.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")),
  );
  const key = secret.match(/.{1,4}/g)!.join(" ");
  return { sealed, address, key, squares: squares.join(""), size };
}
