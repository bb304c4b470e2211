import type { ActionArgs, Posted } from "#app/forms/form-action.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { formRows } from "#app/forms/form-rows.server.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";

function playerOf({ context, fields }: ActionArgs & Posted) {
  const viewer = context.get(viewerContext);
  return { ...context.get(appContext), viewer, formKey: formKeyOf(fields.formKey) };
}

/** Forms of a page for players, which shows more than a `FormResult`. */
export const playerRows = <R extends FormResult = FormResult>() =>
  formRows<ActionArgs & Posted, ReturnType<typeof playerOf>, R>(playerOf);

export const playerRow = playerRows();
