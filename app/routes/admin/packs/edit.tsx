import { data } from "react-router";
import { findAdminPack } from "#app/features/wallet/packs.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { formFields } from "#app/forms/form-fields.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { Missing } from "#app/routes/error-screens.tsx";
import { useRefusalToast } from "#app/forms/use-refusal-toast.ts";
import { BackLink } from "#app/routes/admin/back-link.tsx";
import type { Route } from "./+types/edit";
import { LinkPanel } from "./link-panel.tsx";
import { answerEdit } from "./pack-answers.server.ts";
import { PackForm } from "./pack-form.tsx";
import { PACKS } from "./pack-values.ts";
import { showDeskPack } from "./pack-words.server.ts";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, env } = context.get(appContext);
  const pack = await findAdminPack(db, params.packId);
  return pack ? data(showDeskPack(pack, env.paymentLinkPrefix)) : data(null, 404);
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const { userId: actor } = context.get(viewerContext);
  const fields = await formFields(request);
  const answer = await answerEdit(context.get(appContext), { ...params, actor, fields });
  return answer ?? data(null, 404);
}

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta(siteOf(matches), { title: loaderData?.name ?? "Pack not found" });

export default function EditPack({ loaderData: pack, actionData }: Route.ComponentProps) {
  useRefusalToast(actionData);
  if (!pack) {
    return <Missing title="Pack not found" back={{ to: PACKS, label: "Back to Packs" }} />;
  }
  return (
    <div className="grid gap-4">
      <BackLink to={PACKS}>Packs</BackLink>
      <div>
        <h2 className="text-lg wrap-anywhere">{pack.name}</h2>
        <p className="text-muted">{pack.kind}</p>
      </div>
      <div className="grid items-start gap-4 md:grid-cols-2">
        <div className="min-w-0 rounded-card bg-surface p-4 shadow-card md:p-6">
          <PackForm
            // What was saved is what it shows next.
            key={`${pack.id} ${pack.version}`}
            hidden={{ version: actionData?.version ?? pack.version }}
            values={pack.values}
            answer={actionData}
            isPriceTied={pack.isPriceTied}
            submit="Save"
          />
        </div>
        <LinkPanel pack={pack} />
      </div>
    </div>
  );
}
