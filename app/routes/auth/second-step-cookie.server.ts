import { redirect } from "react-router";
import type { SecondStep } from "#app/features/accounts/sign-in.server.ts";
import { SECOND_STEP_MINUTES } from "#app/features/accounts/rules.ts";
import type { App } from "#app/routes/context.server.ts";
import { type CookieEnv, signedCookie } from "#app/platform/signed-cookie.server.ts";

/** From the right password to the page that asks for the code; no session yet. */
export async function askForCode({ env, now }: App, step: SecondStep, redirectTo: string | null) {
  const until = now().getTime() + SECOND_STEP_MINUTES * 60_000;
  const text = [step.userId, step.passwordMark, until].join(".");
  const kept = await cookie(env).write(text, { maxAge: SECOND_STEP_MINUTES * 60 });
  return redirect(codePath(redirectTo), { headers: { "Set-Cookie": kept } });
}

/** Whose code is owed in this browser, or null where nobody's is or ten minutes are over. */
export async function readSecondStep(
  env: CookieEnv,
  request: Request,
  now: Date,
): Promise<SecondStep | null> {
  const text = await cookie(env).read(request);
  const [userId, passwordMark, until] = text?.split(".") ?? [];
  const isOver = !(Number(until) > now.getTime());
  return userId && passwordMark && !isOver ? { userId, passwordMark } : null;
}

/** The Set-Cookie value that ends the step. */
export function endSecondStep(env: CookieEnv): Promise<string> {
  return cookie(env).clear();
}

function codePath(redirectTo: string | null): string {
  return redirectTo ? `/auth/code?redirectTo=${encodeURIComponent(redirectTo)}` : "/auth/code";
}

const cookie = (env: CookieEnv) => signedCookie(env, "second-step");
