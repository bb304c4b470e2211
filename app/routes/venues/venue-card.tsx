import { Link, useViewTransitionState } from "react-router";
import { useBackTarget } from "#app/ui/back-link.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Pin } from "#app/ui/icon.tsx";
import { Picture } from "#app/ui/picture.tsx";
import { CentreCircle } from "#app/ui/pitch-lines.tsx";
import { GameLine } from "./game-line.tsx";
import type { GameWords } from "./game-words.ts";

export interface VenueCardFacts {
  id: string;
  name: string;
  city: string;
  description: string;
  photoUrl: string | null;
  games: GameWords[];
}

const SIZES = "(min-width: 1024px) 380px, (min-width: 640px) 50vw, 60vw";

/** A venue in the list. Its name is the link; the link covers the card. */
export function VenueCard({ venue, isFirst }: { venue: VenueCardFacts; isFirst: boolean }) {
  const fromHere = useBackTarget();
  return (
    <article className="group relative flex h-full flex-col overflow-hidden rounded-card bg-surface shadow-card has-[a:focus-visible]:outline-3 has-[a:focus-visible]:outline-offset-2 has-[a:focus-visible]:outline-focus">
      <Photo venue={venue} isFirst={isFirst} />
      <div className="flex grow flex-col gap-3 p-4">
        <div>
          <h2 className="text-lg">
            <Link
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

function Photo({ venue, isFirst }: { venue: VenueCardFacts; isFirst: boolean }) {
  // The photo travels between the list and this venue's page.
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

function Games({ games }: { games: GameWords[] }) {
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
