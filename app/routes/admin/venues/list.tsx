import { queryOf } from "#app/forms/form-fields.server.ts";
import { listAdminVenues } from "#app/features/venues/admin-venues.server.ts";
import { NAME_MAX } from "#app/features/venues/rules.ts";
import { Badge } from "#app/ui/badge.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { ownPath, Picture } from "#app/ui/picture.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { foundText, SearchForm } from "#app/routes/admin/filter-form.tsx";
import { ListPage, pagesOf } from "#app/routes/admin/list-page.tsx";
import type { Route } from "./+types/list";
import { photoCount } from "./actions.server.ts";

const SHOWN = 50;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const query = queryOf(request);
  // PostgreSQL rejects NUL.
  const search = (query.get("q") ?? "").replaceAll("\0", "").trim().slice(0, NAME_MAX);
  const filter = { search, after: query.get("after"), limit: SHOWN };
  const { venues, next } = await listAdminVenues(db, filter);
  return {
    venues: venues.map((venue) => ({
      ...venue,
      photoUrl: ownPath(venue.photoUrl),
      photos: photoCount(venue.photoCount),
    })),
    search,
    pages: pagesOf("/admin/venues", query, next),
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

type VenueProps = { venue: Route.ComponentProps["loaderData"]["venues"][number] };

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
