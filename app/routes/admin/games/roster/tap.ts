import { formFields } from "#app/forms/form-fields.server.ts";
import { adminOf } from "#app/routes/admin/admin-action.server.ts";
import type { Route } from "./+types/tap";
import { saveTap } from "./tap-actions.server.ts";

export async function action({ request, params, context }: Route.ActionArgs) {
  const { actor: actorId, ...app } = adminOf({ context });
  const fields = await formFields(request);
  const { result, status } = await saveTap(app, { fields, gameId: params.gameId, actorId });
  return Response.json(result, { status });
}
