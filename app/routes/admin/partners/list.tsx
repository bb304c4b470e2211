import { data } from "react-router";
import { movePartner, listPartners, switchPartner } from "#app/features/partners/partners.server.ts";
import { isId } from "#app/platform/ids.ts";
import { log } from "#app/platform/log.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Plus } from "#app/ui/icon.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { formFields } from "#app/routes/form-fields.server.ts";
import { requireAdmin } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { useRefusalToast } from "#app/routes/use-refusal-toast.ts";
import { LoadFailed } from "#app/routes/admin/load-failed.tsx";
import type { Route } from "./+types/list";
import { breakDown, done, refuse, sayGone, UPDATE_FAILED } from "./answers.server.ts";
import { PartnerRow } from "./partner-row.tsx";
import { PARTNERS, type PartnerWords, showPartner } from "./partner-words.ts";

export async function loader({ request, context }: Route.LoaderArgs) {
  await requireAdmin(context, request);
  try {
    const partners = await listPartners(context.get(appContext).db);
    return data({ partners: partners.map(showPartner) });
  } catch (error) {
    log.error({ err: error }, "Failed to fetch partners");
    return data({ partners: null }, { status: 500 });
  }
}

/** `intent=switch` with `isActive`, or `intent=up|down`, of a `partnerId`. */
export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const { userId: actor } = await requireAdmin(context, request);
  const { intent, partnerId, isActive } = await formFields(request);
  const isDirection = intent === "up" || intent === "down";
  if (!isId(partnerId) || (!isDirection && intent !== "switch")) {
    return refuse({ form: "list", title: UPDATE_FAILED }, 400);
  }
  try {
    const isThere = isDirection
      ? await movePartner(app.db, { partnerId, direction: intent, actor })
      : await switchPartner(app.db, { partnerId, isActive: isActive === "true", actor });
    if (!isThere) return await sayGone(app, UPDATE_FAILED);
    return await done(app, PARTNERS, { title: "Partner updated successfully" });
  } catch (error) {
    return breakDown(error, { form: "list", title: UPDATE_FAILED });
  }
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Partners", noindex: true });

export default function Partners({ loaderData, actionData }: Route.ComponentProps) {
  useRefusalToast(actionData);
  const { partners } = loaderData;
  return (
    <section aria-labelledby="partners" className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h2 id="partners" className="text-lg">
            Partners
          </h2>
          <p className="text-muted">Active ones stand on the front page, in this order.</p>
        </div>
        <ButtonLink to={`${PARTNERS}/new`} variant="primary">
          <Plus />
          Add partner
        </ButtonLink>
      </div>
      {actionData && (
        <Notice tone="danger" title={actionData.title}>
          {actionData.description}
        </Notice>
      )}
      {partners ? (
        <PartnerList partners={partners} />
      ) : (
        <LoadFailed>Failed to fetch partners</LoadFailed>
      )}
    </section>
  );
}

function PartnerList({ partners }: { partners: PartnerWords[] }) {
  if (partners.length === 0) {
    return <EmptyState>No partners yet. The front page leaves their section out.</EmptyState>;
  }
  return (
    <ol className="grid gap-3">
      {partners.map((partner, index) => (
        <li key={partner.id}>
          <PartnerRow
            partner={partner}
            isFirst={index === 0}
            isLast={index === partners.length - 1}
          />
        </li>
      ))}
    </ol>
  );
}
