import { data } from "react-router";
import { FormLimitError, parseForm } from "#app/platform/request-body.server.ts";

/** Characters of a field that a failed form shows again; none may have more, but legal texts. */
const ECHO_MAX = 10_000;

/**
 * The text fields of a posted form. Files and repeated fields are left out, and so count as
 * missing; a body that is no form has no fields. Throws a 400 for more fields than a form has.
 */
export async function formFields(request: Request): Promise<Record<string, string>> {
  return textFields(await readForm(request));
}

/** The text fields of a form that was read. */
export function textFields(form: FormData): Record<string, string> {
  const fields = new Map<string, string>();
  const others = new Set<string>();
  for (const [name, value] of form) {
    if (typeof value === "string" && !fields.has(name)) fields.set(name, value);
    else others.add(name);
  }
  for (const name of others) fields.delete(name);
  return Object.fromEntries(fields);
}

/** All texts of a field that may be repeated, such as of ticked boxes. */
export function textsOf(form: FormData, name: string): string[] {
  return form.getAll(name).filter((value) => typeof value === "string");
}

/** The posted form; a body that is no form has no fields. Throws a 400 as `formFields` does. */
export async function readForm(request: Request): Promise<FormData> {
  try {
    return await parseForm(request);
  } catch (error) {
    if (error instanceof FormLimitError) throw data("Bad Request", { status: 400 });
    throw error;
  }
}

/** What a failed form shows again: of its own fields those that were sent, each cut to a length. */
export function echoOf(
  fields: Record<string, string>,
  names: readonly string[],
): Record<string, string> {
  const sent = names.filter((name) => Object.hasOwn(fields, name));
  return Object.fromEntries(sent.map((name) => [name, fields[name]!.slice(0, ECHO_MAX)]));
}
