import { data, redirect } from "react-router";
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
  /** The form is shown again, with a question or with what it made. */
  ok: 200,
  incomplete: 400,
  unproven: 401,
  payment: 402,
  forbidden: 403,
  missing: 404,
  conflict: 409,
  gone: 410,
  "too-large": 413,
  invalid: 422,
  "too-many": 429,
  broken: 500,
  "other-side": 502,
  busy: 503,
} as const;
export type StatusWord = keyof typeof STATUSES;

/**
 * The form's error, or all that its page shows. A conflict if it names no other status: that is
 * what is left to say of a form whose fields are right. Without an error, an error's page.
 */
export type Answer<R extends FormResult = FormResult> = string | R | StatusAnswer<R>;
type StatusAnswer<R> = readonly [status: StatusWord, error?: string | R, headers?: HeadersInit];

/** What `run` returns: anything is a success but a failure with its reason. */
type Outcome<Reason> = Rejected<Reason> | object | string | boolean | null | void;
type Rejected<Reason> = { ok: false; reason: Reason };

/** Where it is the form, or a feature that only says yes or no, that fails. */
export const rejected = <Reason extends string>(reason: Reason): Rejected<Reason> => ({
  ok: false,
  reason,
});

type Succeeded<Result> = Exclude<Result, { ok: false }>;
type FailedFor<Result, Reason> = Result extends { ok: false; reason: infer Reasons }
  ? Reason extends Reasons
    ? Result
    : never
  : never;

/** One entry for each reason; a function where the text has facts, or where it leads elsewhere. */
type Errors<Result, Reason extends string, RowArgs, R extends FormResult> = {
  readonly [Each in Reason]: Entry<FailedFor<Result, Each>, RowArgs, R>;
} & (string extends Reason ? { "the reasons are no closed set": never } : unknown) &
  (Extract<Result, { ok: false }> extends { reason: string }
    ? unknown
    : { "a failure has no reason": never });
type Entry<Failed, RowArgs, R extends FormResult> =
  | Answer<R>
  | ((failed: Failed, args: RowArgs) => Said<R> | Promise<Said<R>>);
type Said<R extends FormResult> = Answer<R> | Response;

/** Where a success leads, with a toast if it has a title; or what the page shows of it and stays. */
type Next<R> = Partial<Omit<SentMessage, "id">> & {
  /** The form's own page if it names none. */
  to?: string;
  shows?: R;
  headers?: HeadersInit | null;
};

type Done<R> = Next<R> | Response | ReturnType<typeof data<R>>;

interface Row<
  RowArgs,
  Input,
  Result,
  Reason extends string,
  R extends FormResult,
> extends FormOptions {
  /** The page needs the reason itself too. */
  hasReason?: boolean;
  /** What the form holds, checked; a function throws FieldError. */
  input?: z.ZodType<Input> | ((args: RowArgs) => Input);
  run: (args: RowArgs & { input: Input }) => Promise<Result & Outcome<Reason>>;
  errors: Errors<Result, Reason, RowArgs & { input: Input }, R>;
  done:
    | Next<R>
    | ((
        result: NoInfer<Succeeded<Result>>,
        args: RowArgs & { input: NoInfer<Input> },
      ) => Done<R> | Promise<Done<R>>);
}

interface Scope {
  env: CookieEnv;
  path?: string;
}

/**
 * Makes a form of a row: `run` calls a feature, and what it returns becomes the response by the
 * row's `errors` or `done`. `scopeOf` gives each of them what the page's forms have in common.
 */
export function formRows<
  Posting extends ActionArgs & Posted,
  Extra extends Scope,
  R extends FormResult = FormResult,
>(scopeOf: (posted: Posting) => Extra | Promise<Extra>) {
  type RowArgs = Posting & Extra;

  return function formRow<Result, Reason extends string = never, Input = undefined>(
    row: Row<RowArgs, Input, Result, Reason, R>,
  ) {
    const { input: schema, run, errors, done, hasReason, ...options } = row;
    return { ...options, run: answer };

    async function answer(posted: Posting) {
      const scope: RowArgs = { ...posted, ...(await scopeOf(posted)) };
      const input = (
        typeof schema === "function" ? schema(scope) : schema && parseForm(schema, posted.fields)
      ) as Input;
      const args = { ...scope, input };
      const result = await run(args);
      if (isFailure(result)) {
        const entry: Entry<never, typeof args, R> = errors[result.reason];
        const known = typeof entry === "function" ? await entry(result as never, args) : entry;
        return known instanceof Response
          ? known
          : respond(known, hasReason ? result.reason : undefined);
      }
      const next = typeof done === "function" ? await done(result as never, args) : done;
      return follow(next, scope);
    }
  };
}

const isFailure = <Reason>(result: Outcome<Reason>): result is Rejected<Reason> =>
  typeof result === "object" && result !== null && "ok" in result && result.ok === false;

function respond<R extends FormResult>(answer: Answer<R>, reason?: string) {
  const [status, error, headers] = withStatus(answer);
  if (error === undefined) throw data(null, { status: STATUSES[status] });
  const result = typeof error === "string" ? { formError: error } : error;
  return fail<R>(STATUSES[status], { ...(reason && { reason }), ...result } as R, headers);
}

export function withStatus<R extends FormResult>(answer: Answer<R>): StatusAnswer<R> {
  return Array.isArray(answer) ? (answer as unknown as StatusAnswer<R>) : ["conflict", answer as R];
}

function follow<R>(next: Done<R>, { env, path, url }: Scope & ActionArgs) {
  if (next instanceof Response || "init" in next) return next;
  const { to = path ?? url.pathname, shows, title, headers: given, ...more } = next;
  const headers = new Headers(given ?? {});
  if (shows) return data(shows, { headers });
  return title
    ? redirectWithToast(env, to, { title, ...more }, headers)
    : redirect(to, { headers });
}
