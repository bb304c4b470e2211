import { data, type RouterContextProvider } from "react-router";
import { passwordInput } from "#app/features/accounts/input.ts";
import { WRONG_CODE } from "#app/features/accounts/rules.ts";
import { checkCode, checkPassword } from "#app/features/accounts/sign-in.server.ts";
import {
  confirmTwoFactor,
  findTwoFactor,
  readSetup,
  renewRecoveryCodes,
  startTwoFactor,
  totpAddress,
  turnOffTwoFactor,
} from "#app/features/accounts/two-factor.server.ts";
import {
  type ActionArgs,
  formActions,
  parseForm,
  type Posted,
} from "#app/forms/form-action.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { formRows, rejected } from "#app/forms/form-rows.server.ts";
import { OUR_FAULT } from "#app/forms/messages.ts";
import { attemptOf, tooMany } from "#app/routes/security/attempts.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { logSecondFactor } from "#app/routes/security/security-log.server.ts";
import { qrCode } from "#app/routes/responses/qr-code.server.ts";
import { signInCookie } from "#app/routes/cookies.server.ts";

export interface TwoFactorResult extends FormResult {
  setup?: SetupView;
  recoveryCodes?: string[];
}

export type SetupView = ReturnType<typeof toSetupView>;

/** `onSince` is null if it is off. For admins, and for users who have it on; 404 for others. */
export async function findFactor(context: Readonly<RouterContextProvider>) {
  const app = context.get(appContext);
  const viewer = context.get(viewerContext);
  const factor = await findTwoFactor(app.db, viewer.userId);
  if (!factor && !viewer.isAdmin) throw data(null, { status: 404 });
  const isRequired = viewer.isAdmin && app.env.adminTwoFactor === "required";
  return { ...app, viewer, factor, onSince: factor?.since ?? null, isRequired };
}

type Posting = ActionArgs & Posted;
type Factor = Awaited<ReturnType<typeof findFactor>>;
type FactorArgs = Posting & Factor;

const twoFactorRow = formRows<Posting, Factor, TwoFactorResult>(({ context }) =>
  findFactor(context),
);

const FAILED = { failed: "Nothing was changed", formError: OUR_FAULT, isRepeatUnsafe: true };

const ERRORS = {
  changed: "This has changed meanwhile. Please look again.",
  "no-code": ["invalid", { fieldErrors: { code: "Code is required" } }],
  "wrong-code": ["invalid", { fieldErrors: { code: WRONG_CODE } }],
  "wrong-password": ["invalid", { fieldErrors: { password: "Wrong password" } }],
  "too-many": tooMany,
} as const;

const start = (check: typeof checkBoth | typeof checkToStart) =>
  twoFactorRow({
    ...FAILED,
    run: async (args) => {
      const { viewer, onSince: replaces } = args;
      const checked = await check(args);
      if (!checked.ok) return checked;
      return startTwoFactor(args, { userId: viewer.userId, replaces }, args.now());
    },
    errors: ERRORS,
    done: ({ secret, setup }, args) => ({ shows: { setup: toSetupView(args, secret, setup) } }),
  });

export const twoFactorAction = formActions({
  start: start(checkToStart),
  move: start(checkBoth),
  confirm: twoFactorRow({
    ...FAILED,
    run: async ({ viewer: { userId, sessionId }, onSince: replaces, fields, ...app }) => {
      const { setup = "", code = "" } = fields;
      const secret = readSetup(app, { userId, replaces, setup }, app.now());
      if (!secret) return rejected("over");
      const given = { userId, replaces, sessionId, secret, code: code.replace(/\s/g, "") };
      return { ...(await confirmTwoFactor(app, given, app.now())), secret };
    },
    errors: {
      over: "This took too long or has changed meanwhile. Please start again.",
      changed: ERRORS.changed,
      "wrong-code": ({ secret }, args) => {
        const setup = toSetupView(args, secret, args.fields.setup ?? "");
        return ["invalid", { setup, fieldErrors: { code: WRONG_SETUP_CODE } }];
      },
    },
    done: async ({ recoveryCodes, session }, { env }) => ({
      shows: { recoveryCodes },
      headers: session && { "Set-Cookie": await signInCookie(env, session) },
    }),
  }),
  "recovery-codes": twoFactorRow({
    ...FAILED,
    run: async (args) => {
      const checked = await checkBoth(args);
      if (!checked.ok) return checked;
      const recoveryCodes = await renewRecoveryCodes(args, args.viewer.userId);
      return recoveryCodes ? { recoveryCodes } : rejected("changed");
    },
    errors: ERRORS,
    done: (shows) => ({ shows }),
  }),
  "turn-off": twoFactorRow({
    ...FAILED,
    run: async (args) => {
      if (args.onSince && args.isRequired) return rejected("required");
      const checked = await checkBoth(args);
      if (checked.ok) await turnOffTwoFactor(args, args.viewer.userId);
      return checked;
    },
    errors: { ...ERRORS, required: "Admins need two-factor sign-in here, so it stays on." },
    done: { to: "/settings", title: "Two-factor sign-in is off", isLasting: true },
  }),
});

const WRONG_SETUP_CODE =
  "Wrong code. Type the one your app shows now; the phone's clock must be right.";

/** Both are required: a stolen session or phone alone is not enough. */
async function checkBoth(args: FactorArgs) {
  const { viewer, fields, onSince } = args;
  const code = fields.code?.trim();
  if (!onSince) return rejected("changed");
  if (!code) return rejected("no-code");
  const checked = await checkOwnPassword(args);
  if (!checked.ok) return checked;
  const from = await attemptOf(args, viewer.email);
  const passed = await checkCode(args, { userId: viewer.userId, code, ...from }, args.now());
  logSecondFactor(viewer.userId, passed);
  return passed;
}

async function checkToStart(args: FactorArgs) {
  return args.onSince ? rejected("changed") : checkOwnPassword(args);
}

async function checkOwnPassword(args: FactorArgs) {
  const { email } = args.viewer;
  const proof = { ...parseForm(passwordInput, args.fields), ...(await attemptOf(args, email)) };
  return checkPassword(args, { email, ...proof }, args.now());
}

function toSetupView({ env, viewer: { email } }: Factor, secret: string, sealed: string) {
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
