import { Link, useViewTransitionState } from "react-router";
import { spotsText, spotsTone } from "#app/features/games/rules.ts";
import { useBackTarget } from "#app/ui/back-link.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Check } from "#app/ui/icon.tsx";
import { Picture } from "#app/ui/picture.tsx";
import { CentreCircle } from "#app/ui/pitch-lines.tsx";

export interface GameCardFacts {
  id: string;
  start: string;
  end: string;
  venueName: string;
  city: string;
  photoUrl: string | null;
  isIn: boolean;
  price: string;
  spots: number;
}

// Browsers load the next few cards early: on phones a sharper file than this costs them too much.
const SIZES = "(min-width: 1024px) 450px, (min-width: 640px) 50vw, 60vw";

/** A game in a list: the whole card leads to its page. */
export function GameCard({ game, isFirst }: { game: GameCardFacts; isFirst: boolean }) {
  const to = `/events/${game.id}`;
  const fromHere = useBackTarget();
  // The photo travels between the list and this game's page.
  const travels = useViewTransitionState(to);
  return (
    <Link
      to={to}
      state={fromHere}
      prefetch="intent"
      viewTransition
      className="group block overflow-hidden rounded-card bg-surface shadow-card"
    >
      <div
        className={`relative isolate aspect-video overflow-hidden bg-night text-chalk ${travels ? "vt-photo" : ""}`}
      >
        {game.photoUrl ? (
          <Picture
            src={game.photoUrl}
            alt=""
            priority={isFirst}
            sizes={SIZES}
            className="size-full object-cover transition-transform group-hover:scale-103"
          />
        ) : (
          <div className="relative isolate size-full bg-linear-to-br from-night to-grass">
            <CentreCircle className="top-1/2 left-1/2 h-full -translate-1/2 text-chalk/30" />
          </div>
        )}
        {game.isIn && (
          <Badge tone="lime" className="absolute top-3 left-3">
            <Check className="size-4" /> You're in
          </Badge>
        )}
        <p className="absolute inset-x-0 bottom-0 bg-linear-to-t from-night/90 to-transparent px-4 pt-10 pb-3 text-xl font-bold tabular-nums">
          {game.start} – {game.end}
        </p>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2 p-4">
        <div className="min-w-0 grow basis-full">
          <h3 className="truncate text-lg">{game.venueName}</h3>
          <p className="text-sm text-muted">{game.city}</p>
        </div>
        <Badge>{game.price}</Badge>
        <Badge tone={spotsTone(game.spots)}>{spotsText(game.spots)}</Badge>
      </div>
    </Link>
  );
}
