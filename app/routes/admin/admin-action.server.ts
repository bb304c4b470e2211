import type { ActionArgs, Posted } from "#app/forms/form-action.server.ts";
import type { Difference, FormResult } from "#app/forms/form-result.ts";
import { formRows } from "#app/forms/form-rows.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";

export type AdminArgs = ActionArgs & Posted & { params: Record<string, string | undefined> };

export function adminOf({ context }: Pick<ActionArgs, "context">) {
  return { ...context.get(appContext), actor: context.get(viewerContext).userId };
}

/** Forms of a page in admin, which shows more than a `FormResult`. */
export const adminRows = <R extends FormResult = FormResult>() =>
  formRows<AdminArgs, ReturnType<typeof adminOf>, R>(adminOf);

export const adminRow = adminRows();

/** The fields in which the form differs from the row that somebody else has saved. */
export function fieldDiff<Field extends string>(
  labels: Record<Field, string>,
  stored: Record<Field, string>,
  typed: Partial<Record<Field, string>>,
): Difference[] {
  return (Object.keys(labels) as Field[])
    .map((field) => ({
      label: labels[field],
      theirs: stored[field],
      // Browsers send line breaks as CRLF.
      yours: (typed[field] ?? "").replaceAll("\r\n", "\n").trim(),
    }))
    .filter(({ theirs, yours }) => theirs !== yours);
}

/** The version that an edit began with; without a number 0, which no row has. */
export function versionOf({ version = "" }: Record<string, string>) {
  return /^\d{1,9}$/.test(version) ? Number(version) : 0;
}
