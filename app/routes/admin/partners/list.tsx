import { listPartners, type Partner, partners } from "#app/features/partners/partners.server.ts";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { orderActions } from "#app/routes/admin/entity/order.server.ts";
import { OrderedList } from "#app/routes/admin/entity/ordered-list.tsx";
import { loadPage } from "#app/routes/admin/load-page.server.ts";
import { AdminPage } from "#app/routes/admin/page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { LoadFailed } from "#app/routes/load-failure.tsx";
import { metaOf } from "#app/routes/meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Plus } from "#app/ui/icon.tsx";
import { ownPath } from "#app/ui/picture.tsx";
import type { Route } from "./+types/list";
import { LogoTile } from "./logo.tsx";

const FAILED = "Failed to fetch partners";

export const loader = ({ context }: Route.LoaderArgs) =>
  loadPage(FAILED, async () => (await listPartners(context.get(appContext).db)).map(toPartnerView));

function toPartnerView({ name, logoUrl, websiteUrl, ...rest }: Partner) {
  return {
    ...rest,
    name: name || "Partner",
    // The front page shows the name if the logo is not our file.
    logoUrl: ownPath(logoUrl),
    website: websiteUrl ? (URL.parse(websiteUrl)?.host ?? websiteUrl) : "",
  };
}

export const action = orderActions(partners, {
  failed: "Failed to update partner",
  done: { title: "Partner updated successfully" },
});

export const meta = metaOf({ title: "Partners" });

export default function Partners({ loaderData, actionData }: Route.ComponentProps) {
  const { found } = loaderData;
  return (
    <AdminPage
      title="Partners"
      about="Active ones are on the front page, in this order, once they have a logo."
      aside={
        <ButtonLink to="/admin/partners/new" variant="primary">
          <Plus />
          Add partner
        </ButtonLink>
      }
    >
      <FormErrors result={actionData} />
      {found ? (
        <OrderedList
          noun="partner"
          rows={found}
          toRow={(partner) => <PartnerRow partner={partner} />}
          empty="No partners yet. The front page leaves their section out."
        />
      ) : (
        <LoadFailed>{FAILED}</LoadFailed>
      )}
    </AdminPage>
  );
}

function PartnerRow({ partner }: { partner: ReturnType<typeof toPartnerView> }) {
  const { name, website, sortOrder, logoUrl, isActive } = partner;
  return (
    <div className="flex min-w-0 items-center gap-4">
      <LogoTile partner={partner} />
      <div className="min-w-0">
        <h3 translate="no" className="text-base wrap-anywhere">
          {name}
        </h3>
        <p className="wrap-anywhere text-sm text-muted">{website || "No website"}</p>
        <p className="text-sm text-muted tabular-nums">Sort order {sortOrder}</p>
        {!logoUrl && isActive && (
          <p className="text-sm font-semibold text-warn">No logo yet: not shown</p>
        )}
      </div>
    </div>
  );
}
