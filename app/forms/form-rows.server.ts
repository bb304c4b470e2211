import { redirect } from "react-router";
import type { z } from "zod";
import type { CookieEnv } from "#app/platform/signed-cookie.server.ts";
import type { SentMessage } from "#app/ui/page-message.tsx";
import {
  type ActionArgs,
  fail,
  type FormOptions,
  parseForm,
  type Posted,
} from "./form-action.server.ts";
import type { FormResult } from "./form-result.ts";
import { redirectWithToast } from "./toast.server.ts";

export const STATUSES = {
  /** Nothing is wrong: the form is shown again with a question, or with what it made. */
  question: 200,
  incomplete: 400,
  payment: 402,
  forbidden: 403,
  missing: 404,
  conflict: 409,
  "too-large": 413,
  invalid: 422,
  "too-many": 429,
  busy: 503,
} as const;

/** A status as a word, with the form's error or all that its page shows. */
export type Answer<R extends FormResult = FormResult> = readonly [
  status: keyof typeof STATUSES,
  error: string | R,
];

type Succeeded<Result> = Extract<Result, { ok: true }>;
type FailedFor<Result, Reason> = Result extends { ok: false; reason: infer Reasons }
  ? Reason extends Reasons
    ? Result
    : never
  : never;

/** One entry for each reason; a function where the text has facts. */
type Errors<Result, Reason extends string, Args, R extends FormResult> = {
  readonly [Each in Reason]: Entry<FailedFor<Result, Each>, Args, R>;
} & (string extends Reason ? { "the reasons are no closed set": never } : unknown);
type Entry<Failed, Args, R extends FormResult> =
  | Answer<R>
  | ((failed: Failed, args: Args) => Answer<R> | Promise<Answer<R>>);

/** A redirect, with a toast if it has a title; `to` the form's own page if it names none. */
type Done = Response | (Partial<Omit<SentMessage, "id">> & { to?: string });

interface Row<
  Args,
  Input,
  Result,
  Reason extends string,
  R extends FormResult,
> extends FormOptions {
  /** The page needs the reason itself too. */
  hasReason?: boolean;
  /** What the form holds, checked; a function throws FieldError. */
  input?: z.ZodType<Input> | ((posted: Posted) => Input);
  run: (args: Args & { input: Input }) => Promise<Result & { ok: boolean; reason?: Reason }>;
  errors: Errors<Result, Reason, Args & { input: Input }, R>;
  done:
    | Exclude<Done, Response>
    | ((
        result: NoInfer<Succeeded<Result>>,
        args: Args & { input: NoInfer<Input> },
      ) => Done | Promise<Done>);
}

type Scope = { env: CookieEnv; path: string };

/**
 * Makes a form of a row: `run` calls a feature, and what it returns becomes the response by the
 * row's `errors` or `done`. `scopeOf` gives each of them what the page's forms have in common.
 */
export function formRows<
  Posting extends ActionArgs & Posted,
  Extra extends Scope,
  R extends FormResult = FormResult,
>(scopeOf: (posted: Posting) => Extra | Promise<Extra>) {
  type Args = Posting & Extra;

  return function formRow<Result, Reason extends string = never, Input = undefined>(
    row: Row<Args, Input, Result, Reason, R>,
  ) {
    const { input: schema, run, errors, done, hasReason, ...options } = row;
    return { ...options, run: answer };

    async function answer(posted: Posting) {
      const scope: Args = { ...posted, ...(await scopeOf(posted)) };
      const input = (
        typeof schema === "function" ? schema(posted) : schema && parseForm(schema, posted.fields)
      ) as Input;
      const args = { ...scope, input };
      const result = await run(args);
      if (result.ok) {
        const next = typeof done === "function" ? await done(result as never, args) : done;
        return follow(next, scope);
      }
      const entry: Entry<never, typeof args, R> = errors[result.reason!];
      const known = typeof entry === "function" ? await entry(result as never, args) : entry;
      return respond(known, hasReason ? result.reason : undefined);
    }
  };
}

/** The failure of a form. */
export function respond<R extends FormResult>([status, error]: Answer<R>, reason?: string) {
  const result = typeof error === "string" ? { formError: error } : error;
  return fail<R>(STATUSES[status], { ...(reason && { reason }), ...result } as R);
}

function follow(done: Done, { env, path }: Scope) {
  if (done instanceof Response) return done;
  const { to = path, title, ...more } = done;
  return title ? redirectWithToast(env, to, { title, ...more }) : redirect(to);
}
