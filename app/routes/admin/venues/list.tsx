import { Form, Link, useNavigation } from "react-router";
import { listAdminVenues } from "#app/features/venues/admin-venues.server.ts";
import { NAME_MAX } from "#app/features/venues/rules.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { TextField } from "#app/ui/field.tsx";
import { Plus } from "#app/ui/icon.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { ownPath, Picture } from "#app/ui/picture.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { pageOf } from "#app/routes/admin/page-of.ts";
import type { Route } from "./+types/list";
import { photoCount } from "./actions.server.ts";

const SHOWN = 50;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const query = new URL(request.url).searchParams;
  // PostgreSQL takes no NUL in a text.
  const search = (query.get("q") ?? "").replaceAll("\0", "").trim().slice(0, NAME_MAX);
  const after = query.get("after");
  const { venues, next } = await listAdminVenues(db, { search, after, limit: SHOWN });
  return {
    venues: venues.map(({ photoUrl, ...venue }) => ({
      ...{ ...venue, photoUrl: ownPath(photoUrl), photos: photoCount(venue.photoCount) },
    })),
    search,
    first: after ? pageOf("/admin/venues", query, null) : null,
    next: next && pageOf("/admin/venues", query, next),
  };
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), { title: "Venues" });

export default function Venues({ loaderData }: Route.ComponentProps) {
  const { venues, search, first, next } = loaderData;
  return (
    <section aria-labelledby="venues" className="grid gap-4">
      <div className="flex items-center justify-between gap-4">
        <h2 id="venues" className="text-lg">
          Venues
        </h2>
        <ButtonLink to="/admin/venues/new" variant="primary">
          <Plus className="size-5" /> New venue
        </ButtonLink>
      </div>
      <Search search={search} />
      {venues.length > 0 ? (
        <ul className="grid gap-3 md:gap-0 md:overflow-hidden md:rounded-card md:bg-surface md:shadow-card">
          {venues.map((venue) => (
            <li key={venue.id} className="md:border-t md:border-line md:first:border-t-0">
              <VenueRow venue={venue} />
            </li>
          ))}
        </ul>
      ) : (
        <EmptyState action={search && <ButtonLink to="/admin/venues">All venues</ButtonLink>}>
          {search ? `No venue matches “${search}”.` : "No venues yet. Add the first one."}
        </EmptyState>
      )}
      <Pager label="Pages of venues" first={first} next={next} />
    </section>
  );
}

function Search({ search }: { search: string }) {
  const { location, formMethod } = useNavigation();
  const isPending = location?.pathname === "/admin/venues" && formMethod === "GET";
  return (
    // Fresh for each search, so that going back shows what was searched for.
    <Form key={search} method="get" role="search" className="flex items-end gap-2">
      <TextField
        label="Name or city"
        name="q"
        type="search"
        defaultValue={search}
        maxLength={NAME_MAX}
        autoComplete="off"
        className="grow"
      />
      <Button pending={isPending} pendingLabel="Searching…" className="min-h-12">
        Search
      </Button>
    </Form>
  );
}

type VenueView = Awaited<ReturnType<typeof loader>>["venues"][number];

/** A card on a phone and a row of a table on a laptop; all of it leads to the venue. */
function VenueRow({ venue }: { venue: VenueView }) {
  return (
    <Link to={`/admin/venues/${venue.id}`} className={rowClass}>
      <span className="aspect-video w-24 overflow-hidden rounded-card bg-night">
        {venue.photoUrl && (
          <Picture src={venue.photoUrl} alt="" sizes="96px" className="size-full object-cover" />
        )}
      </span>
      <span className="grid min-w-0 grow">
        <span className="wrap-anywhere font-semibold">{venue.name}</span>{" "}
        <span className="wrap-anywhere text-sm text-muted">
          {venue.city} · {venue.photos}
        </span>
      </span>
      {venue.isHidden && <Badge>Hidden</Badge>}
    </Link>
  );
}

const rowClass =
  "flex items-center gap-4 rounded-card bg-surface p-4 shadow-card hover:bg-sunken " +
  "md:rounded-none md:bg-transparent md:shadow-none md:hover:bg-sunken " +
  "focus-visible:-outline-offset-3";
