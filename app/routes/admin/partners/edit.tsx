import type { ReactNode } from "react";
import { data, Form, useNavigate, useNavigation, useSearchParams } from "react-router";
import { findPartner } from "#app/features/partners/partners.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { type FormResult, resultOf } from "#app/forms/form-result.ts";
import { isId } from "#app/platform/ids.ts";
import { log } from "#app/platform/log.server.ts";
import { BackLink } from "#app/routes/admin/back-link.tsx";
import { LoadFailed } from "#app/routes/admin/load-failed.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import type { Route } from "./+types/edit";
import { editAction, type PartnerView, toPartnerView } from "./actions.server.ts";
import { LogoForm, PartnerForm } from "./form.tsx";

export async function loader({ context, params }: Route.LoaderArgs) {
  if (!isId(params.partnerId)) return data({ partner: null, isMissing: true }, { status: 404 });
  try {
    const partner = await findPartner(context.get(appContext).db, params.partnerId);
    if (!partner) return data({ partner: null, isMissing: true }, { status: 404 });
    return data({ partner: toPartnerView(partner), isMissing: false });
  } catch (error) {
    log.error({ err: error }, "Failed to fetch partners");
    return data({ partner: null, isMissing: false }, { status: 500 });
  }
}

export const action = editAction;

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  const title = loaderData?.partner?.name ?? "Partner not found";
  return pageMeta(siteOf(matches), { title });
};

export default function EditPartner({ loaderData, actionData }: Route.ComponentProps) {
  const { partner, isMissing } = loaderData;
  return (
    <div className="grid gap-4">
      <BackLink to="/admin/partners">Partners</BackLink>
      {partner && <Editor key={partner.id} partner={partner} result={actionData} />}
      {!partner && isMissing && <EmptyState>There is no such partner any more.</EmptyState>}
      {!partner && !isMissing && <LoadFailed>Failed to fetch partners</LoadFailed>}
    </div>
  );
}

type EditorProps = { partner: PartnerView; result: FormResult | undefined };

function Editor({ partner, result }: EditorProps) {
  const details = resultOf(result, "save");
  return (
    <>
      <h2 className="text-lg wrap-anywhere">{partner.name}</h2>
      <FormErrors result={resultOf(result, "remove", "")} />
      <RemoveDialog partner={partner} />
      <div className="grid items-start gap-4 md:grid-cols-2">
        <Part title="Details">
          <PartnerForm
            hidden={{ version: details?.conflict?.version ?? partner.version }}
            values={partner.values}
            result={details}
            submit="Save"
          />
        </Part>
        <div className="grid gap-4">
          <Part title="Logo">
            <LogoForm partner={partner} result={resultOf(result, "logo")} />
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

/** Asks before a partner is deleted; by the address, so that it does without JavaScript too. */
function RemoveDialog({ partner: { id, name } }: { partner: PartnerView }) {
  const path = `/admin/partners/${id}`;
  const [searchParams] = useSearchParams();
  const navigate = useNavigate();
  const isOpen = searchParams.has("delete");
  const isPending = useNavigation().formData?.get("intent") === "remove";
  const leave = () => {
    if (isOpen) void navigate(path, { replace: true, preventScrollReset: true });
  };
  return (
    // Without JavaScript it is a part of the page, over what follows it.
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
      <Form method="post" className="mt-6 flex flex-wrap justify-end gap-3">
        <input type="hidden" name="intent" value="remove" />
        <ButtonLink to={path} replace preventScrollReset variant="quiet">
          Keep it
        </ButtonLink>
        <Button variant="danger" pending={isPending} pendingLabel="Deleting…">
          Delete partner
        </Button>
      </Form>
    </Dialog>
  );
}

function RemoveLink({ partner: { id } }: { partner: PartnerView }) {
  const path = `/admin/partners/${id}`;
  return (
    <ButtonLink to={`${path}?delete`} preventScrollReset className="justify-self-start">
      Delete partner
    </ButtonLink>
  );
}
