import { data, type RouterContextProvider } from "react-router";
import type { z } from "zod";
import { log } from "#app/platform/log.server.ts";
import { BusyError } from "#app/platform/fair-queue.server.ts";
import { echoOf, readForm, textFields, textsOf } from "./form-fields.server.ts";
import type { FieldErrors, FormResult } from "./form-result.ts";
import { rejectOtherAccount } from "./page-account.server.ts";
import {
  PROCESS_FAILED,
  TOO_MANY_SIGN_INS,
  TRY_AGAIN,
  OUTCOME_UNKNOWN,
  OUTCOME_UNKNOWN_UNSAFE,
} from "./messages.ts";
import { OutcomeUnknownError } from "#app/platform/postgres/commit-outcome.server.ts";

export interface Posted {
  fields: Record<string, string>;
  form: FormData;
}

export interface FormOptions {
  /** The errors' heading and the log message: "Failed to update partner". */
  failed: string;
  /** The heading, if the specification quotes another one. */
  title?: string;
  formError?: string;
  /** Fields, or values, that the form shows again; never a password. */
  keep?: readonly string[] | ((posted: Posted) => Record<string, string>);
  /** Not idempotent: if the outcome is unknown, the user must check first. */
  isRepeatUnsafe?: boolean;
  /** Does the same for any account, such as a sign-in. */
  isForAnyone?: boolean;
}

export interface ActionArgs {
  request: Request;
  url: URL;
  context: Readonly<RouterContextProvider>;
}
type Run<Args, Result> = (args: Args & Posted) => Promise<Result>;
type Failed<R extends FormResult> = ReturnType<typeof fail<R>>;
type ShownBy<Result> = Result extends { data: infer R extends FormResult } ? R : never;
type Outcome<Result> =
  | Result
  | Failed<[ShownBy<Result>] extends [never] ? FormResult : ShownBy<Result>>;

/** Adds the title and the input to what `run` fails with; other errors become a 500. */
export function formAction<Args extends ActionArgs, Result>(
  row: FormOptions & { run?: Run<Args, Result> },
  run = row.run!,
) {
  return async (args: Args): Promise<Outcome<Result>> => {
    const form = await readForm(args.request);
    return runForm({ ...row, run }, { ...args, form, fields: textFields(form) });
  };
}

/** Chooses the form by the field `intent`, one of `intents`; 400 for an unknown one. */
export function formActions<Args extends ActionArgs, Result>(
  forms: Record<string, FormOptions & { run: Run<Args, Result> }>,
) {
  const act = async (args: Args): Promise<Outcome<Result>> => {
    const form = await readForm(args.request);
    const fields = textFields(form);
    const { intent = "" } = fields;
    if (!Object.hasOwn(forms, intent))
      return fail<FormResult>(400, UNKNOWN_FORM) as Outcome<Result>;
    return runForm(forms[intent]!, { ...args, form, fields });
  };
  return Object.assign(act, { intents: Object.keys(forms) });
}

const UNKNOWN_FORM = { title: PROCESS_FAILED.title, formError: PROCESS_FAILED.description };

async function runForm<Args extends ActionArgs, Result>(
  options: FormOptions & { run: Run<Args, Result> },
  args: Args & Posted,
): Promise<Outcome<Result>> {
  const { failed, title = failed, formError = TRY_AGAIN, keep, isRepeatUnsafe, run } = options;
  const rejection = options.isForAnyone ? null : await rejectOtherAccount(args.context, args.form);
  if (rejection) return rejection as Outcome<Result>;
  const { intent } = args.fields;
  const known: FormResult = {
    ...(intent && { form: intent }),
    title,
    ...(keep && { values: typeof keep === "function" ? keep(args) : typedValues(args.form, keep) }),
  };
  try {
    const result = await run(args);
    // A copy: `run` may return a shared constant.
    if (isFailure(result)) result.data = { ...known, ...result.data };
    return result;
  } catch (error) {
    return unforeseen(error) as Outcome<Result>;
  }

  function unforeseen(error: unknown) {
    if (error instanceof FormError) return fail(error.status, { ...known, ...error.result });
    if (isThrownResponse(error)) throw error;
    if (error instanceof OutcomeUnknownError) throw unknownOutcome(isRepeatUnsafe);
    log.error({ err: error }, failed);
    if (error instanceof BusyError) return fail(503, { ...known, formError: TOO_MANY_SIGN_INS });
    return fail(500, { ...known, formError });
  }
}

function unknownOutcome(isRepeatUnsafe = false) {
  const text = isRepeatUnsafe ? OUTCOME_UNKNOWN_UNSAFE : OUTCOME_UNKNOWN;
  return data(text, { status: 503, statusText: text.title });
}

/** A repeated field, such as checkboxes, has one value per line. */
function typedValues(form: FormData, names: readonly string[]): Record<string, string> {
  const sent = names.filter((name) => textsOf(form, name).length > 0);
  const texts = sent.map((name) => [name, textsOf(form, name).join("\n")]);
  return echoOf(Object.fromEntries(texts), names);
}

const failures = new WeakSet<object>();

/** The form with errors, or with 200 a preview or a question; `formAction` adds its values. */
export function fail<R extends FormResult = FormResult>(
  status: number,
  result: NoInfer<R>,
  headers: HeadersInit = {},
) {
  const failure = data<R>(result, { status, headers });
  failures.add(failure);
  return failure;
}

function isFailure(result: unknown): result is { data: FormResult } {
  return typeof result === "object" && result !== null && failures.has(result);
}

/** Redirects, and `data()` such as a 404, are not unexpected errors. */
export function isThrownResponse(error: unknown): boolean {
  if (error instanceof Response) return true;
  return typeof error === "object" && error !== null && "init" in error && "data" in error;
}

/** Throws FieldError, which `formAction` turns into a 422 or `status`. */
export function parseForm<T>(
  schema: z.ZodType<T>,
  fields: Record<string, unknown>,
  status?: number,
): T {
  const result = schema.safeParse(fields);
  if (result.success) return result.data;
  const fieldErrors: FieldErrors = {};
  for (const { path, message } of result.error.issues) fieldErrors[String(path[0])] ??= message;
  throw new FieldError(fieldErrors, status);
}

/** What is wrong with a form itself; the page shows `result`. */
class FormError extends Error {
  result: FormResult;
  status: number;
  constructor(result: FormResult, status: number) {
    super("a form is wrong");
    this.result = result;
    this.status = status;
  }
}

export class FieldError extends FormError {
  constructor(fieldErrors: FieldErrors, status = 422) {
    super({ fieldErrors }, status);
  }
}

/** Lacks what the page's own form has: a 400. */
export class IncompleteError extends FormError {
  constructor(formError = "The form was not complete. Please try again.") {
    super({ formError }, 400);
  }
}
