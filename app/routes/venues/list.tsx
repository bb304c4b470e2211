import { redirect, useNavigation } from "react-router";
import type { Route } from "./+types/list";
import { parseCities, noVenuesText } from "#app/features/venues/rules.ts";
import { listCities, listVenues } from "#app/features/venues/venues.server.ts";
import { ownPath } from "#app/ui/picture.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { PenaltyArea } from "#app/ui/pitch-lines.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { CityFilter } from "./city-filter.tsx";
import { cityPath } from "./city-path.ts";
import { showGame } from "./game-words.ts";
import { LoadFailure } from "./load-failure.tsx";
import { VenueCard } from "./venue-card.tsx";

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const query = new URL(request.url).searchParams;
  const chosen = parseCities(query);
  // A form without JavaScript repeats the parameter; the address holds one list.
  if (query.getAll("city").length > 1) throw redirect(cityPath(chosen));
  const [cities, venues] = await Promise.all([
    listCities(db),
    listVenues(db, { cities: chosen, now: now() }),
  ]);
  return {
    cities,
    chosen,
    venues: venues.map(({ upcomingGames, ...venue }) => ({
      ...venue,
      photoUrl: ownPath(venue.photoUrl),
      games: upcomingGames.map(showGame),
    })),
    emptyText: noVenuesText(chosen),
  };
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(siteOf(matches), {
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
  return <LoadFailure>Failed to load venues</LoadFailure>;
}

function Hero() {
  return (
    <div className="relative isolate overflow-hidden bg-night text-chalk">
      <PenaltyArea className="top-1/2 -right-58 w-112 -translate-y-1/2 -rotate-90 text-chalk/25 md:-right-28" />
      <div className="mx-auto max-w-6xl px-4 py-8 md:py-12">
        <h1 className="text-xl md:text-2xl">Venues</h1>
        <p className="mt-1 text-chalk/80">Halls, cages and pitches around campus.</p>
      </div>
    </div>
  );
}
