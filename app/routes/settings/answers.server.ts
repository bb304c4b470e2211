import { data } from "react-router";
import { tooManyAttempts } from "#app/features/accounts/rules.ts";
import { log } from "#app/platform/log.server.ts";
import { BusyError } from "#app/platform/turns.server.ts";
import { TOO_MANY_SIGN_INS } from "#app/forms/messages.ts";
import { throwUnknownOnce } from "#app/forms/unknown-outcome.server.ts";
import type { FormAnswer } from "./form-problem.tsx";

export function refuse(answer: FormAnswer, status: number) {
  return data<FormAnswer>(answer, { status });
}

/** 429 with Retry-After, and the same in words. */
export function tooMany(seconds: number) {
  const init = { status: 429, headers: { "Retry-After": String(seconds) } };
  return data<FormAnswer>({ failure: tooManyAttempts(seconds) }, init);
}

/** What broke on our side: the log has it, the page says `failure`, or that too much waits. */
export function broke(error: unknown, failure: string, values: Record<string, string> = {}) {
  throwUnknownOnce(error);
  log.error({ err: error }, failure);
  if (error instanceof BusyError) return refuse({ failure: TOO_MANY_SIGN_INS, values }, 503);
  return refuse({ failure, values }, 500);
}

/** As many as there may be in an hour have been sent. */
export function enoughForNow(values: Record<string, string>) {
  return refuse(
    { failure: "You have sent many of these. Please try again in an hour.", values },
    429,
  );
}
