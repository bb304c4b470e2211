import { formFields } from "#app/forms/form-fields.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import type { Route } from "./+types/tap";
import { saveTap } from "./roster-actions.server.ts";

/** A tap on a row of a game's roster; responds with what the row has become. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { userId: actorId } = context.get(viewerContext);
  const fields = await formFields(request);
  const tap = { fields, gameId: params.gameId, actorId };
  const { result, status } = await saveTap(context.get(appContext), tap);
  return Response.json(result, { status });
}
