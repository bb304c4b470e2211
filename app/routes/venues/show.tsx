import { data, Link } from "react-router";
import { mayOrganise } from "#app/features/accounts/sessions.server.ts";
import { heldNow } from "#app/features/games/held-spots.server.ts";
import { findVenue } from "#app/features/venues/venues.server.ts";
import { appContext } from "#app/routes/context.server.ts";
import { getViewer } from "#app/routes/guards.server.ts";
import { LoadFailure } from "#app/routes/load-failure.tsx";
import { pageMeta, siteOf } from "#app/routes/meta.ts";
import { readShared } from "#app/routes/shared-reads.server.ts";
import { BackLink, useBackTarget } from "#app/ui/back-link.tsx";
import { buttonClass } from "#app/ui/button.tsx";
import { ChevronRight, External, Pin } from "#app/ui/icon.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { Route } from "./+types/show";
import { Gallery } from "./gallery.tsx";
import { GameLine } from "./game-line.tsx";
import { findPriceViewer } from "./price-viewer.server.ts";
import { toVenueView, type VenueGameView, type VenueView } from "./venue-view.ts";
import { Missing } from "#app/routes/error-screens.tsx";

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const { env, now } = app;
  const [found, viewer] = await Promise.all([
    readShared(app, request, `venue ${params.venueId}`, (db) =>
      findVenue(db, { venueId: params.venueId, now: now(), held: heldNow(now()) }),
    ),
    findPriceViewer(context),
  ]);
  const isSeen = found && (!found.isHidden || mayOrganise(await getViewer(context), env));
  const venue = isSeen ? found : null;
  return data(
    { venue: venue && toVenueView(venue, { ...env, viewer }) },
    { status: venue ? 200 : 404 },
  );
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
        {venue.description && (
          <section className="grid content-start gap-3">
            <h2 className="text-lg">About this venue</h2>
            <p className="wrap-anywhere whitespace-pre-line">{venue.description}</p>
          </section>
        )}
      </div>
    </article>
  );
}

export function ErrorBoundary() {
  return <LoadFailure title="Failed to load the venue" />;
}

function VenueHeader({ venue }: { venue: VenueView }) {
  const { name, place, mapsUrl, website } = venue;
  return (
    <header className="grid content-start gap-3">
      <BackLink key={venue.id} to="/venues">
        Venues
      </BackLink>
      <h1 translate="no" className="text-xl wrap-anywhere">
        {name}
      </h1>
      <p className="flex items-center gap-3">
        <Pin className="size-5 text-muted" />
        {mapsUrl ? (
          <a href={mapsUrl} target="_blank" rel="noopener" className="link py-2.5">
            {place}
          </a>
        ) : (
          place
        )}
      </p>
      {(mapsUrl || website) && (
        <p className="flex flex-wrap gap-2">
          {mapsUrl && <OutLink url={mapsUrl} name="Directions" />}
          {website && <OutLink url={website.url} name={website.host} />}
        </p>
      )}
    </header>
  );
}

function OutLink({ url, name }: { url: string; name: string }) {
  return (
    <a href={url} target="_blank" rel="noopener" className={buttonClass({})}>
      {name} <External className="size-4" />
    </a>
  );
}

function UpcomingGames({ games }: { games: VenueGameView[] }) {
  const fromHere = useBackTarget();
  return (
    <section
      aria-labelledby="upcoming-games"
      className="self-start rounded-card bg-surface p-4 shadow-card lg:col-start-2 lg:row-span-2 lg:row-start-1"
    >
      <h2 id="upcoming-games" className="text-lg">
        Upcoming games
      </h2>
      {games.length === 0 && <p className="pt-2 text-muted">No upcoming games at this venue.</p>}
      <ul className="mt-2 divide-y divide-line">
        {games.map((game) => (
          <li key={game.id}>
            <Link
              to={`/events/${game.id}`}
              state={fromHere}
              prefetch="intent"
              viewTransition
              className="group -mx-2 flex items-center gap-1 rounded-card px-2 py-2 hover:bg-sunken"
            >
              <span className="min-w-0 grow">
                <span className="line-clamp-1 text-sm wrap-anywhere text-muted">{game.title}</span>
                <GameLine game={game} />
              </span>
              <ChevronRight className="size-5 text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
