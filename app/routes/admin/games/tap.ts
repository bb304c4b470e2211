import { appContext } from "#app/routes/context.server.ts";
import { formFields } from "#app/routes/form-fields.server.ts";
import { requireAdmin } from "#app/routes/guards.server.ts";
import type { Route } from "./+types/tap";
import { saveTap } from "./sheet-deeds.server.ts";

/** There is nothing to see here. */
export async function loader({ request, context }: Route.LoaderArgs) {
  await requireAdmin(context, request);
  return new Response(null, { status: 404 });
}

/** A tap on a row of a game's sheet, answered with what the row has become. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { userId: actorId } = await requireAdmin(context, request);
  const fields = await formFields(request);
  const app = context.get(appContext);
  const { answer, status } = await saveTap(app, { fields, gameId: params.gameId, actorId });
  return Response.json(answer, { status });
}
