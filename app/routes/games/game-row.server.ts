import type { Posted } from "#app/forms/form-action.server.ts";
import type { FormResult } from "#app/forms/form-result.ts";
import { formRows } from "#app/forms/form-rows.server.ts";
import { formKeyOf } from "#app/platform/ids.ts";
import { appContext } from "#app/routes/context.server.ts";
import type { Plans } from "#app/routes/credits/plans.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import type { Route } from "./+types/show";

/** `reason` is absent for unexpected errors and invalid forms. */
export interface FailedJoin extends FormResult {
  reason?: string | undefined;
  /** The key of a question, which the button that says yes sends. */
  confirms?: string | undefined;
  plans?: Plans;
}

type GameArgs = Route.ActionArgs & Posted;

function playerOf({ params: { gameId }, context, fields }: GameArgs) {
  const app = context.get(appContext);
  const viewer = context.get(viewerContext);
  return {
    ...{ ...app, viewer, path: `/events/${gameId}` },
    change: { gameId, playerId: viewer.userId, now: app.now() },
    formKey: formKeyOf(fields.formKey),
  };
}

export const gameRow = formRows<GameArgs, ReturnType<typeof playerOf>, FailedJoin>(playerOf);
