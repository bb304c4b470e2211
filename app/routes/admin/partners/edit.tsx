import type { ComponentProps } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { findPartner } from "#app/features/partners/partners.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { editedVersion, resultOf } from "#app/forms/form-result.ts";
import { isId } from "#app/platform/ids.ts";
import { IntentForm, SubmitButton } from "#app/routes/admin/intent-form.tsx";
import { loadPage } from "#app/routes/admin/load-page.server.ts";
import { AdminPage, NotLoaded, Panel } from "#app/routes/admin/page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import type { Route } from "./+types/edit";
import { editAction, type PartnerView, toPartnerView } from "./actions.server.ts";
import { LogoForm, PartnerForm } from "./form.tsx";

const FAILED = "Failed to fetch partners";

export async function loader({ context, params }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  return loadPage(FAILED, async () => {
    const partner = isId(params.partnerId) ? await findPartner(db, params.partnerId) : null;
    return partner && toPartnerView(partner);
  });
}

export const action = editAction;

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  const title = loaderData?.found?.name ?? "Partner not found";
  return pageMeta(siteOf(matches), { title });
};

export default function EditPartner({ loaderData, actionData }: Route.ComponentProps) {
  const { found: partner, isMissing } = loaderData;
  if (partner) return <Editor key={partner.id} partner={partner} result={actionData} />;
  const missing = "There is no such partner any more.";
  return <NotLoaded back={PARTNERS} isMissing={isMissing} missing={missing} failed={FAILED} />;
}

const PARTNERS = { to: "/admin/partners", label: "Partners" };

function Editor({ partner, result }: ComponentProps<typeof LogoForm>) {
  const details = resultOf(result, "save");
  return (
    <AdminPage title={<span translate="no">{partner.name}</span>} back={PARTNERS}>
      <FormErrors result={resultOf(result, "remove", "")} />
      <RemoveDialog partner={partner} />
      <div className="grid items-start gap-4 md:grid-cols-2">
        <Panel title="Details">
          <PartnerForm
            hidden={{ version: editedVersion(details, partner.version) }}
            values={partner.values}
            result={details}
            submit="Save"
          />
        </Panel>
        <div className="grid gap-4">
          <Panel title="Logo">
            <LogoForm partner={partner} result={resultOf(result, "logo")} />
          </Panel>
          <Panel title="Delete">
            <ButtonLink
              to={`/admin/partners/${partner.id}?delete`}
              preventScrollReset
              className="justify-self-start"
            >
              Delete partner
            </ButtonLink>
          </Panel>
        </div>
      </div>
    </AdminPage>
  );
}

/** Opened by the URL, so that it works without JavaScript. */
function RemoveDialog({ partner: { id, name } }: { partner: PartnerView }) {
  const path = `/admin/partners/${id}`;
  const [searchParams] = useSearchParams();
  const navigate = useNavigate();
  const isOpen = searchParams.has("delete");
  const leave = () => {
    if (isOpen) void navigate(path, { replace: true, preventScrollReset: true });
  };
  return (
    // Without JavaScript it is in the page's flow, above what follows.
    <Dialog
      id="remove-partner"
      title="Delete this partner?"
      open={isOpen}
      onClose={leave}
      className="z-10"
    >
      <p>
        {name} leaves the front page, and its logo is deleted for good. To take it off the page for
        a while, switch it off instead.
      </p>
      <IntentForm intent="remove" className="mt-6 flex flex-wrap justify-end gap-3">
        <ButtonLink to={path} replace preventScrollReset>
          Keep it
        </ButtonLink>
        <SubmitButton variant="danger" pendingLabel="Deleting…">
          Delete partner
        </SubmitButton>
      </IntentForm>
    </Dialog>
  );
}
