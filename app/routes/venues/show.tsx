import { data } from "react-router";
import type { Route } from "./+types/show";
import { findVenue } from "#app/features/venues/venues.server.ts";
import { Notice } from "#app/ui/notice.tsx";
import { appContext } from "#app/routes/context.server.ts";
import { getViewer } from "#app/routes/guards.server.ts";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { Missing } from "#app/routes/error-screens.tsx";
import { Gallery } from "./gallery.tsx";
import { LoadFailure } from "./load-failure.tsx";
import { UpcomingGames } from "./upcoming-games.tsx";
import { AboutVenue, VenueHeader } from "./venue-facts.tsx";
import { showVenue } from "./venue-words.ts";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, env, now } = context.get(appContext);
  const found = await findVenue(db, { venueId: params.venueId, now: now() });
  const isSeen = found && (!found.isHidden || (await getViewer(context))?.isAdmin);
  const venue = isSeen ? found : null;
  return data({ venue: venue && showVenue(venue, env) }, { status: venue ? 200 : 404 });
}

const DESCRIPTION_CHARACTERS = 120;

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const site = siteOf(matches);
  const venue = loaderData?.venue;
  if (!venue) return pageMeta(site, { title: "Venue not found", noindex: true });
  const start = [...venue.description].slice(0, DESCRIPTION_CHARACTERS).join("");
  return [
    ...pageMeta(site, {
      title: venue.name,
      description: start || `Pick-up games at ${venue.name}, ${venue.city}.`,
      path: `/venues/${venue.id}`,
      noindex: venue.isHidden,
    }),
    { "script:ld+json": venue.structuredData },
  ];
};

export default function Venue({ loaderData }: Route.ComponentProps) {
  const { venue } = loaderData;
  if (!venue)
    return <Missing title="Venue not found" back={{ to: "/venues", label: "Back to Venues" }} />;
  return (
    <article className="mx-auto max-w-6xl md:px-4 md:pt-4">
      {venue.isHidden && (
        <Notice tone="warn" className="mb-4">
          This venue is hidden: only organisers see this page.
        </Notice>
      )}
      <Gallery key={venue.id} name={venue.name} photos={venue.photos} />
      <div className="grid gap-8 px-4 pt-5 md:px-0 lg:grid-cols-[3fr_2fr] lg:grid-rows-[auto_1fr] lg:gap-x-10">
        <VenueHeader venue={venue} />
        <UpcomingGames games={venue.games} />
        {venue.description && <AboutVenue text={venue.description} />}
      </div>
    </article>
  );
}

export function ErrorBoundary() {
  return <LoadFailure>Failed to load the venue</LoadFailure>;
}
