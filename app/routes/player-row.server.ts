import type { ActionArgs, Posted } from "#app/forms/form-action.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { formRows } from "#app/forms/form-rows.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";

function playerOf({ context }: ActionArgs & Posted) {
  return { ...context.get(appContext), viewer: context.get(viewerContext) };
}

/** Forms of a page behind the layout of players, which shows more than a `FormResult`. */
export const playerRows = <R extends FormResult = FormResult>() =>
  formRows<ActionArgs & Posted, ReturnType<typeof playerOf>, R>(playerOf);

export const playerRow = playerRows();
