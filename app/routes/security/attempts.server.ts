import type { RouterContextProvider } from "react-router";
import { tooManyAttempts } from "#app/features/accounts/rules.ts";
import { addressContext, appContext } from "#app/routes/context.server.ts";
import { knownDevice } from "#app/routes/cookies.server.ts";

interface RequestArgs {
  request: Request;
  context: Readonly<RouterContextProvider>;
}

/** Identifies the client for counting guesses at this account. */
export async function attemptOf({ request, context }: RequestArgs, email: string) {
  const { env, accounts } = context.get(appContext);
  const device = await knownDevice(env, request, accounts.personOf(email));
  return { device, address: context.get(addressContext) };
}

export const tooMany = ({ retryAfterSeconds: seconds }: { retryAfterSeconds: number }) =>
  ["too-many", tooManyAttempts(seconds), retryAfter(seconds)] as const;

export const retryAfter = (seconds: number) => ({ "Retry-After": String(seconds) });
