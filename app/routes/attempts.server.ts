import type { RouterContextProvider } from "react-router";
import { tooManyAttempts } from "#app/features/accounts/rules.ts";
import { fail } from "#app/forms/form-action.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { addressContext, appContext } from "./context.server.ts";
import { knownDevice } from "./cookies.server.ts";

interface Args {
  request: Request;
  context: Readonly<RouterContextProvider>;
}

/** Identifies the client for counting guesses at this account. */
export async function attemptOf({ request, context }: Args, email: string) {
  const { env, accounts } = context.get(appContext);
  const device = await knownDevice(env, request, accounts.personOf(email));
  return { device, address: context.get(addressContext) };
}

/** 429 with Retry-After. */
export function failTooMany<R extends FormResult>(seconds: number, result?: NoInfer<R>) {
  const failed = { ...result, formError: tooManyAttempts(seconds) } as R;
  return fail<R>(429, failed, { "Retry-After": String(seconds) });
}
