import { randomUUID } from "node:crypto";
import { appContext } from "#app/routes/context.server.ts";
import { formFields } from "#app/forms/form-fields.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { useRefusalToast } from "#app/forms/use-refusal-toast.ts";
import { BackLink } from "#app/routes/admin/back-link.tsx";
import type { Route } from "./+types/new";
import { answerCreate } from "./pack-answers.server.ts";
import { PackForm } from "./pack-form.tsx";
import { NEW_PACK, PACKS } from "./pack-values.ts";

export async function loader() {
  return { packId: randomUUID() };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { userId: actor } = context.get(viewerContext);
  const fields = await formFields(request);
  const { packId = "" } = fields;
  return answerCreate(context.get(appContext), { packId, actor, fields });
}

export { revalidateOnConflict as shouldRevalidate } from "#app/forms/revalidate-on-conflict.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "New pack" });

export default function NewPack({ loaderData: { packId }, actionData }: Route.ComponentProps) {
  useRefusalToast(actionData);
  return (
    <div className="grid gap-4">
      <BackLink to={PACKS}>Packs</BackLink>
      <h2 className="text-lg">New pack</h2>
      <p className="max-w-xl text-muted">
        Players pay for it every month. The single game is the one pack that is paid for once, and
        is in the list already.
      </p>
      <div className="max-w-xl rounded-card bg-surface p-4 shadow-card md:p-6">
        <PackForm hidden={{ packId }} values={NEW_PACK} answer={actionData} submit="Create pack" />
      </div>
    </div>
  );
}
