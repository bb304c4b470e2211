import type { ReactNode } from "react";
import { data } from "react-router";
import { findPartner } from "#app/features/partners/partners.server.ts";
import { isId } from "#app/platform/ids.ts";
import { log } from "#app/platform/log.server.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { readForm } from "#app/forms/form-fields.server.ts";
import { viewerContext } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { useRefusalToast } from "#app/forms/use-refusal-toast.ts";
import { BackLink } from "#app/routes/admin/back-link.tsx";
import { LoadFailed } from "#app/routes/admin/load-failed.tsx";
import type { Route } from "./+types/edit";
import {
  answerEdit,
  answerLogo,
  answerRemove,
  refuse,
  sayGone,
  UPDATE_FAILED,
} from "./answers.server.ts";
import { LogoForm } from "./logo-form.tsx";
import { PartnerForm } from "./partner-form.tsx";
import { PARTNERS, type PartnerWords, showPartner } from "./partner-words.ts";
import { RemoveDialog, RemoveLink } from "./remove-dialog.tsx";

export async function loader({ context, params }: Route.LoaderArgs) {
  if (!isId(params.partnerId)) return data({ partner: null, isMissing: true }, { status: 404 });
  try {
    const partner = await findPartner(context.get(appContext).db, params.partnerId);
    if (!partner) return data({ partner: null, isMissing: true }, { status: 404 });
    return data({ partner: showPartner(partner), isMissing: false });
  } catch (error) {
    log.error({ err: error }, "Failed to fetch partners");
    return data({ partner: null, isMissing: false }, { status: 500 });
  }
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const app = context.get(appContext);
  const { userId: actor } = context.get(viewerContext);
  const { partnerId } = params;
  if (!isId(partnerId)) return sayGone(app, UPDATE_FAILED);
  const form = await readForm(request);
  const deed = { partnerId, actor, form };
  const intent = form.get("intent");
  if (intent === "save") return answerEdit(app, deed);
  if (intent === "logo") return answerLogo(app, deed);
  if (intent === "remove") return answerRemove(app, deed);
  return refuse({ form: "list", title: UPDATE_FAILED }, 400);
}

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  const title = loaderData?.partner?.name ?? "Partner not found";
  return pageMeta(siteOf(matches), { title });
};

export default function EditPartner({ loaderData, actionData }: Route.ComponentProps) {
  useRefusalToast(actionData);
  const { partner, isMissing } = loaderData;
  return (
    <div className="grid gap-4">
      <BackLink to={PARTNERS}>Partners</BackLink>
      {partner && <Desk key={partner.id} partner={partner} answer={actionData ?? undefined} />}
      {!partner && isMissing && <EmptyState>There is no such partner any more.</EmptyState>}
      {!partner && !isMissing && <LoadFailed>Failed to fetch partners</LoadFailed>}
    </div>
  );
}

type DeskProps = { partner: PartnerWords; answer: Route.ComponentProps["actionData"] };

function Desk({ partner, answer }: DeskProps) {
  const details = answer?.form === "details" ? answer : undefined;
  return (
    <>
      <h2 className="text-lg wrap-anywhere">{partner.name}</h2>
      {answer?.form === "list" && (
        <Notice tone="danger" title={answer.title}>
          {answer.description}
        </Notice>
      )}
      <RemoveDialog partner={partner} />
      <div className="grid items-start gap-4 md:grid-cols-2">
        <Part title="Details">
          <PartnerForm
            hidden={{ version: details?.version ?? partner.version }}
            values={partner.values}
            answer={details}
            submit="Save"
          />
        </Part>
        <div className="grid gap-4">
          <Part title="Logo">
            <LogoForm partner={partner} answer={answer?.form === "logo" ? answer : undefined} />
          </Part>
          <Part title="Delete">
            <RemoveLink partner={partner} />
          </Part>
        </div>
      </div>
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section
      aria-label={title}
      className="grid min-w-0 gap-4 rounded-card bg-surface p-4 shadow-card md:p-6"
    >
      <h3 className="text-base">{title}</h3>
      {children}
    </section>
  );
}
