import { appContext } from "#app/routes/context.server.ts";
import { formFields } from "#app/forms/form-fields.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import type { Route } from "./+types/tap";
import { saveTap } from "./sheet-deeds.server.ts";

/** A tap on a row of a game's sheet, answered with what the row has become. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { userId: actorId } = context.get(viewerContext);
  const fields = await formFields(request);
  const app = context.get(appContext);
  const { answer, status } = await saveTap(app, { fields, gameId: params.gameId, actorId });
  return Response.json(answer, { status });
}
