import { data } from "react-router";
import type { z } from "zod";
import { log } from "#app/platform/log.server.ts";
import { BusyError } from "#app/platform/turns.server.ts";
import { echoOf, readForm, textFields, textsOf } from "./form-fields.server.ts";
import type { FieldErrors, FormResult } from "./form-result.ts";
import { PROCESS_FAILED, TOO_MANY_SIGN_INS, TRY_AGAIN } from "./messages.ts";
import { throwUnknownOnce, throwUnknownOutcome } from "./unknown-outcome.server.ts";

/** What a form sent: its text fields, and the whole of it for files and repeated fields. */
export interface Posted {
  fields: Record<string, string>;
  form: FormData;
}

interface FormOptions {
  /** What did not work, as the page's heading and in the log: "Failed to update partner". */
  failed: string;
  /** The heading, where the specification quotes another one. */
  title?: string;
  /** What to say where the error is ours. */
  formError?: string;
  /** The fields, or the values, that are shown again as they were typed; never a password. */
  keep?: readonly string[] | ((posted: Posted) => Record<string, string>);
  /** Sent twice it is done twice, or answered otherwise: an unknown outcome says to look first. */
  isOnce?: boolean;
}

interface ActionArgs {
  request: Request;
}
type Run<Args, Result> = (args: Args & Posted) => Promise<Result>;
type Failed<R extends FormResult> = ReturnType<typeof fail<R>>;
/** What the page may get: what `run` returns, and its kind of failure for what nobody foresaw. */
type Outcome<Result> =
  | Result
  | Failed<Result extends { data: infer R extends FormResult; init: unknown } ? R : FormResult>;

/**
 * The action of a page with one form: reads it, and completes what `run` returns by `fail` with the
 * title and with what was typed. What nobody foresaw is logged and answered in the same way, by 500.
 */
export function formAction<Args extends ActionArgs, Result>(
  options: FormOptions,
  run: Run<Args, Result>,
) {
  return async (args: Args): Promise<Outcome<Result>> => {
    const form = await readForm(args.request);
    return runForm({ ...options, run }, { ...args, form, fields: textFields(form) });
  };
}

/** The action of a page with several forms, each named by its field `intent`; 400 for another. */
export function formActions<Args extends ActionArgs, Result>(
  forms: Record<string, FormOptions & { run: Run<Args, Result> }>,
) {
  return async (args: Args): Promise<Outcome<Result>> => {
    const form = await readForm(args.request);
    const fields = textFields(form);
    const { intent = "" } = fields;
    if (!Object.hasOwn(forms, intent))
      return fail<FormResult>(400, UNKNOWN_FORM) as Outcome<Result>;
    return runForm(forms[intent]!, { ...args, form, fields });
  };
}

const UNKNOWN_FORM = { title: PROCESS_FAILED.title, formError: PROCESS_FAILED.description };

async function runForm<Args, Result>(
  options: FormOptions & { run: Run<Args, Result> },
  args: Args & Posted,
): Promise<Outcome<Result>> {
  const { failed, title = failed, formError = TRY_AGAIN, keep, isOnce, run } = options;
  const { intent } = args.fields;
  const known: FormResult = {
    ...(intent && { form: intent }),
    title,
    ...(keep && { values: typeof keep === "function" ? keep(args) : typedValues(args.form, keep) }),
  };
  try {
    const result = await run(args);
    // A new object: what was given may be a constant, which the next request would read.
    if (isFailure(result)) result.data = { ...known, ...result.data };
    return result;
  } catch (error) {
    return unforeseen(error) as Outcome<Result>;
  }

  function unforeseen(error: unknown) {
    if (error instanceof FieldError) {
      return fail(error.status, { ...known, fieldErrors: error.fieldErrors });
    }
    // A redirect, or a page that is not there.
    if (error instanceof Response || isData(error)) throw error;
    (isOnce ? throwUnknownOnce : throwUnknownOutcome)(error);
    log.error({ err: error }, failed);
    if (error instanceof BusyError) return fail(503, { ...known, formError: TOO_MANY_SIGN_INS });
    return fail(500, { ...known, formError });
  }
}

/** What was sent in these fields; of a repeated one, such as ticked boxes, each value on a line. */
function typedValues(form: FormData, names: readonly string[]): Record<string, string> {
  const sent = names.filter((name) => textsOf(form, name).length > 0);
  return echoOf(
    Object.fromEntries(sent.map((name) => [name, textsOf(form, name).join("\n")])),
    names,
  );
}

const failures = new WeakSet<object>();

/** A form that did not succeed; `formAction` adds its title and what was typed. */
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

function isData(error: unknown): boolean {
  return typeof error === "object" && error !== null && "init" in error && "data" in error;
}

/** What the form's fields say, by its schema; `formAction` answers 422 for what is wrong with them. */
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

/** Thrown out of a form's `run`: the first error of each field, with 422 or another status. */
export class FieldError extends Error {
  fieldErrors: FieldErrors;
  status: number;
  constructor(fieldErrors: FieldErrors, status = 422) {
    super("a form's fields are wrong");
    this.fieldErrors = fieldErrors;
    this.status = status;
  }
}
