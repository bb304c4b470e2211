import { data } from "react-router";
import { isAmbiguous } from "#app/platform/as-shown.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { FormLimitError, parseBody } from "#app/platform/request-body.server.ts";
import { oneLine, seen } from "#app/platform/text.ts";

/** Characters of a field that a failed form shows again. Only legal texts may be longer. */
const ECHO_MAX = 10_000;

/** No fields if the body is not a form. Throws a 400 for too many fields. */
export async function formFields(request: Request): Promise<Record<string, string>> {
  return textFields(await readForm(request));
}

/** Without files and repeated fields, which so count as missing; ids and keys in lower case. */
export function textFields(form: FormData): Record<string, string> {
  const fields = new Map<string, string>();
  const others = new Set<string>();
  for (const [name, value] of form) {
    if (typeof value === "string" && !fields.has(name)) fields.set(name, inOneCase(name, value));
    else others.add(name);
  }
  for (const name of others) fields.delete(name);
  return Object.fromEntries(fields);
}

// The database takes an id in either case; keys are compared as text too.
function inOneCase(name: string, value: string): string {
  return /(Id|Key)$/.test(name) ? (formKeyOf(value) ?? value) : value;
}

const SHOWN_FIELDS = ["shown", "priceShown"];

export function textsOf(form: FormData, name: string): string[] {
  return form.getAll(name).filter((value) => typeof value === "string");
}

/** All fields of all forms come from here, without what nobody sees (`seen`). */
export async function readForm(request: Request): Promise<FormData> {
  try {
    const form = withoutUnseen(await parseBody(request));
    // What counted as missing would be shown by nothing, and act.
    const isUnclear = SHOWN_FIELDS.some((name) => isAmbiguous(form.getAll(name)));
    if (isUnclear) throw data("Bad Request", { status: 400 });
    return form;
  } catch (error) {
    if (error instanceof FormLimitError) throw data("Bad Request", { status: 400 });
    throw error;
  }
}

/** The words of a search, filters and dates in the address, read like a form's fields. */
export function queryOf({ url }: Request): URLSearchParams {
  const given = [...new URL(url).searchParams];
  return new URLSearchParams(given.map(([name, value]) => [name, oneLine(value)]));
}

// Not passwords: each sign counts in them, and those of today must still be right tomorrow.
function withoutUnseen(form: FormData): FormData {
  const read = new FormData();
  for (const [name, value] of form) {
    const isText = typeof value === "string" && !/password/i.test(name);
    read.append(name, isText ? seen(value) : value);
  }
  return read;
}

/** The named fields that were sent, each truncated, for a failed form to show again. */
export function echoOf(
  fields: Record<string, string>,
  names: readonly string[],
): Record<string, string> {
  const sent = names.filter((name) => Object.hasOwn(fields, name));
  return Object.fromEntries(sent.map((name) => [name, fields[name]!.slice(0, ECHO_MAX)]));
}
