import type { RouterContextProvider } from "react-router";
import type { ActionArgs, Posted } from "#app/forms/form-action.server.ts";
import type { Difference } from "#app/forms/form-result.ts";
import { formRows } from "#app/forms/form-rows.server.ts";
import { redirectWithToast } from "#app/forms/toast.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";

export function adminOf({ context }: { context: Readonly<RouterContextProvider> }) {
  const app = context.get(appContext);
  return {
    ...app,
    actor: context.get(viewerContext).userId,
    done: (to: string, title: string, description?: string) =>
      redirectWithToast(app.env, to, { title, description }),
  };
}

/** Forms of a page in admin. */
export const adminRow = formRows((posted: ActionArgs & Posted) => adminOf(posted));

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
