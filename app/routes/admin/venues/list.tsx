import { venues } from "#app/features/venues/admin-venues.server.ts";
import { NAME_MAX, photoCount } from "#app/features/venues/rules.ts";
import { searchRows } from "#app/platform/entity.server.ts";
import { Badge } from "#app/ui/badge.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { ownPath, Picture } from "#app/ui/picture.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { foundText, SearchForm } from "#app/routes/admin/filter-form.tsx";
import { ListPage } from "#app/routes/admin/list-page.tsx";
import { listQuery } from "#app/routes/admin/list-query.server.ts";
import type { Route } from "./+types/list";

const VENUES_SHOWN = 50;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const { word, after, pages } = listQuery(request, "/admin/venues");
  const search = word("q", NAME_MAX);
  const { rows, next } = await searchRows(db, venues, { search, after, limit: VENUES_SHOWN });
  return { venues: rows.map(toListed), search, pages: pages(next) };
}

function toListed({ id, name, city, isHidden, photoUrls }: NonNullable<typeof venues.row>) {
  const [first = null] = photoUrls;
  return {
    ...{ id, name, city, isHidden, photoUrl: ownPath(first) },
    photos: photoCount(photoUrls.length),
  };
}

export const meta = metaOf({ title: "Venues" });

export default function Venues({ loaderData }: Route.ComponentProps) {
  const { venues, search, pages } = loaderData;
  return (
    <ListPage
      title="Venues"
      path="/admin/venues"
      newLabel="New venue"
      rows={venues}
      toRow={(venue) => <Venue venue={venue} />}
      rowClass="grid-cols-[auto_1fr_auto]"
      empty={search ? `No venue matches “${search}”.` : "No venues yet. Add the first one."}
      emptyAction={search && <ButtonLink to="/admin/venues">All venues</ButtonLink>}
      pages={pages}
    >
      <SearchForm
        path="/admin/venues"
        found={foundText(venues.length, pages)}
        label="Name or city"
        words={search}
        max={NAME_MAX}
      />
    </ListPage>
  );
}

type VenueProps = { venue: ReturnType<typeof toListed> };

function Venue({ venue }: VenueProps) {
  return (
    <>
      <span className="aspect-video w-24 overflow-hidden rounded-card bg-night">
        {venue.photoUrl && (
          <Picture src={venue.photoUrl} alt="" sizes="96px" className="size-full object-cover" />
        )}
      </span>
      <span className="grid min-w-0">
        <span translate="no" className="wrap-anywhere font-semibold">
          {venue.name}
        </span>{" "}
        <span className="wrap-anywhere text-sm text-muted">
          {venue.city} · {venue.photos}
        </span>
      </span>
      {venue.isHidden && <Badge>Hidden</Badge>}
    </>
  );
}
