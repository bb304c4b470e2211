import { useNavigation } from "react-router";
import { FormErrors } from "#app/forms/form-errors.tsx";
import { PostForm } from "#app/forms/post-form.tsx";
import { LoadFailed } from "#app/routes/load-failure.tsx";
import { loadPage } from "#app/routes/admin/load-page.server.ts";
import { MoveButton } from "#app/routes/admin/move-button.tsx";
import { AdminPage } from "#app/routes/admin/page.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ChevronDown, Plus } from "#app/ui/icon.tsx";
import type { Route } from "./+types/list";
import { listAction, type PartnerView, toPartnerView } from "./actions.server.ts";
import { LogoTile } from "./form.tsx";
import { listPartners } from "#app/features/partners/partners.server.ts";

const FAILED = "Failed to fetch partners";

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  return loadPage(FAILED, async () => (await listPartners(db)).map(toPartnerView));
}

export const action = listAction;

export const meta = metaOf({ title: "Partners" });

export default function Partners({ loaderData, actionData }: Route.ComponentProps) {
  const { found: partners } = loaderData;
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
      {partners ? <PartnerList partners={partners} /> : <LoadFailed>{FAILED}</LoadFailed>}
    </AdminPage>
  );
}

function PartnerList({ partners }: { partners: PartnerView[] }) {
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

type PartnerRowProps = { partner: PartnerView; isFirst: boolean; isLast: boolean };

function PartnerRow({ partner, isFirst, isLast }: PartnerRowProps) {
  const { id, name, website, sortOrder, logoUrl, isActive } = partner;
  return (
    <article
      aria-label={name}
      className="grid gap-3 rounded-card bg-surface p-3 shadow-card md:grid-cols-[minmax(0,1fr)_auto] md:items-center md:gap-6"
    >
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
      <div className="flex flex-wrap items-center justify-between gap-2">
        <ActiveSwitch partner={partner} />
        <PostForm action="/admin/partners" preventScrollReset className="flex">
          <input type="hidden" name="partnerId" value={id} />
          <Move direction="up" name={name} isAtEnd={isFirst} />
          <Move direction="down" name={name} isAtEnd={isLast} />
        </PostForm>
        <ButtonLink to={`/admin/partners/${id}`} aria-label={`Edit ${name}`}>
          Edit
        </ButtonLink>
      </div>
    </article>
  );
}

type MoveProps = { direction: "up" | "down"; name: string; isAtEnd: boolean };

function Move({ direction, name, isAtEnd }: MoveProps) {
  return (
    <MoveButton
      variant="quiet"
      name="intent"
      value={direction}
      aria-label={`Move ${name} ${direction}`}
      isAtEnd={isAtEnd}
      className="px-2.5"
    >
      <ChevronDown className={direction === "up" ? "size-5 rotate-180" : "size-5"} />
    </MoveButton>
  );
}

/** A submit button with the role of a switch, so that it works without JavaScript. */
function ActiveSwitch({ partner: { id, name, isActive } }: { partner: PartnerView }) {
  const { formData } = useNavigation();
  const isTurning = formData?.get("intent") === "switch" && formData.get("partnerId") === id;
  const isOn = isTurning ? formData.get("isActive") === "true" : isActive;
  return (
    <PostForm action="/admin/partners" preventScrollReset>
      <input type="hidden" name="intent" value="switch" />
      <input type="hidden" name="partnerId" value={id} />
      <input type="hidden" name="isActive" value={String(!isActive)} />
      <button
        type="submit"
        role="switch"
        aria-checked={isOn}
        aria-label={`Active: ${name}`}
        className="group flex min-h-11 items-center gap-2 rounded-card px-1 font-semibold"
      >
        <span
          aria-hidden
          className={classNames(
            "flex h-7 w-12 items-center rounded-pill border p-0.5 group-hover:border-ink",
            isOn ? "justify-end border-ink bg-ink" : "border-edge bg-raised",
          )}
        >
          <span className={classNames("size-5 rounded-pill", isOn ? "bg-canvas" : "bg-edge")} />
        </span>
        Active
      </button>
    </PostForm>
  );
}
