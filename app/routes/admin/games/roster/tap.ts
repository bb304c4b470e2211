import { readForm, textFields } from "#app/forms/form-fields.server.ts";
import { STATUSES } from "#app/forms/form-rows.server.ts";
import { findOtherViewer } from "#app/forms/page-account.server.ts";
import { adminOf } from "#app/routes/admin/admin-action.server.ts";
import type { Route } from "./+types/tap";
import { saveTap } from "./tap-actions.server.ts";

export async function action({ request, params, context }: Route.ActionArgs) {
  const { actor, ...app } = adminOf({ context });
  const form = await readForm(request);
  // The browser kept the tap for somebody else.
  if (await findOtherViewer(context, form)) return Response.json(OTHER_ADMIN, { status: 403 });
  const tapped = { fields: textFields(form), gameId: params.gameId, actor };
  const { result, status } = await saveTap(app, tapped);
  return Response.json(result, { status: STATUSES[status] });
}

const OTHER_ADMIN = { ok: false, problem: "Not saved: another admin is signed in here now." };
