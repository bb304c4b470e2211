import { queryOf } from "#app/forms/form-fields.server.ts";
import { Link, redirect, useNavigation, useViewTransitionState } from "react-router";
import { cityPath, noVenuesText, parseCities } from "#app/features/venues/rules.ts";
import { heldNow } from "#app/features/games/held-spots.server.ts";
import { listCities, listVenues } from "#app/features/venues/venues.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { LoadFailure } from "#app/routes/load-failure.tsx";
import { metaOf } from "#app/routes/meta.ts";
import { readShared } from "#app/routes/shared-reads.server.ts";
import { useBackTarget } from "#app/ui/back-link.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Pin } from "#app/ui/icon.tsx";
import { ownPath, Picture } from "#app/ui/picture.tsx";
import { CentreCircle, PenaltyArea } from "#app/ui/pitch-lines.tsx";
import type { Route } from "./+types/list";
import { CityFilter } from "./city-filter.tsx";
import { GameLine } from "./game-line.tsx";
import { findPriceViewer } from "./price-viewer.server.ts";
import { toVenueGameView, type VenueGameView } from "./venue-view.ts";

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const now = app.now();
  const query = queryOf(request);
  const chosen = parseCities(query);
  // A form without JavaScript repeats the parameter; the canonical URL has one list.
  if (query.getAll("city").length > 1) throw redirect(cityPath(chosen));
  const [[cities, venues], viewer] = await Promise.all([
    readShared(app, request, `venues ${JSON.stringify(chosen)}`, (db) =>
      Promise.all([listCities(db), listVenues(db, { cities: chosen, now, held: heldNow(now) })]),
    ),
    findPriceViewer(context),
  ]);
  return {
    cities,
    chosen,
    venues: venues.map(({ upcomingGames, ...venue }) => ({
      ...venue,
      photoUrl: ownPath(venue.photoUrl),
      games: upcomingGames.map((game) => toVenueGameView(game, viewer)),
    })),
    emptyText: noVenuesText(chosen),
  };
}

export const meta = metaOf({
  title: "Venues",
  description: "Halls, cages and pitches around campus, each with its next pick-up games.",
  path: "/venues",
});

export default function Venues({ loaderData }: Route.ComponentProps) {
  const { cities, chosen, venues, emptyText } = loaderData;
  const isFiltering = useNavigation().location?.pathname === "/venues";
  return (
    <>
      <Hero />
      <div className="mx-auto max-w-6xl px-4">
        <CityFilter cities={cities} chosen={chosen} />
        <p role="status" className="pb-3 text-sm text-muted tabular-nums">
          {venues.length} {venues.length === 1 ? "venue" : "venues"}
        </p>
        {venues.length === 0 && (
          <EmptyState
            action={chosen.length > 0 && <ButtonLink to="/venues">All venues</ButtonLink>}
          >
            {emptyText}
          </EmptyState>
        )}
        <ul
          aria-label="Venues"
          aria-busy={isFiltering}
          className={classNames(
            "grid grid-cols-1 gap-4 transition-opacity sm:grid-cols-2 lg:grid-cols-3",
            isFiltering && "opacity-60",
          )}
        >
          {venues.map((venue, index) => (
            <li key={venue.id}>
              <VenueCard venue={venue} isFirst={index === 0} />
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

export function ErrorBoundary() {
  return <LoadFailure title="Failed to load venues" />;
}

function Hero() {
  return (
    <div className="relative isolate overflow-hidden bg-night text-chalk">
      <PenaltyArea className="top-1/2 -right-28 w-112 -translate-y-1/2 -rotate-90 text-chalk/25 max-md:hidden" />
      <div className="mx-auto max-w-6xl px-4 py-8 md:py-12">
        <h1 className="text-xl md:text-2xl">Venues</h1>
        <p className="mt-1 text-chalk/80">Halls, cages and pitches around campus.</p>
      </div>
    </div>
  );
}

type VenueCardProps = {
  venue: Route.ComponentProps["loaderData"]["venues"][number];
  isFirst: boolean;
};

const SIZES = "(min-width: 1024px) 380px, (min-width: 640px) 50vw, 60vw";

/** The name is the link, and it covers the card. */
function VenueCard({ venue, isFirst }: VenueCardProps) {
  const fromHere = useBackTarget();
  return (
    <article className="group relative flex h-full flex-col overflow-hidden rounded-card bg-surface shadow-card has-[a:focus-visible]:outline-3 has-[a:focus-visible]:outline-offset-2 has-[a:focus-visible]:outline-focus">
      <Photo venue={venue} isFirst={isFirst} />
      <div className="flex grow flex-col gap-3 p-4">
        <div>
          <h2 className="text-lg">
            <Link
              translate="no"
              to={`/venues/${venue.id}`}
              state={fromHere}
              prefetch="intent"
              viewTransition
              className="outline-none after:absolute after:inset-0"
            >
              {venue.name}
            </Link>
          </h2>
          <p className="flex items-center gap-1 text-sm text-muted">
            <Pin className="size-4" /> {venue.city}
          </p>
        </div>
        {venue.description && <p className="line-clamp-3">{venue.description}</p>}
        <Games games={venue.games} />
      </div>
    </article>
  );
}

function Photo({ venue, isFirst }: VenueCardProps) {
  const travels = useViewTransitionState(`/venues/${venue.id}`);
  return (
    <div
      className={classNames(
        "relative isolate aspect-video overflow-hidden bg-night",
        travels && "vt-photo",
      )}
    >
      {venue.photoUrl ? (
        <Picture
          src={venue.photoUrl}
          alt=""
          priority={isFirst}
          sizes={SIZES}
          className="size-full object-cover transition-transform group-hover:scale-103"
        />
      ) : (
        <CentreCircle className="top-1/2 left-1/2 h-full -translate-1/2 text-chalk/30" />
      )}
    </div>
  );
}

function Games({ games }: { games: VenueGameView[] }) {
  if (games.length === 0) {
    return (
      <p className="mt-auto border-t border-line pt-3 text-sm text-muted">No upcoming games</p>
    );
  }
  return (
    <ul aria-label="Upcoming games" className="mt-auto border-t border-line pt-2">
      {games.map((game) => (
        <li key={game.id}>
          <GameLine game={game} />
        </li>
      ))}
    </ul>
  );
}
