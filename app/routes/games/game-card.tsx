import type { ReactNode } from "react";
import { Link, useViewTransitionState } from "react-router";
import { spotsText, spotsTone } from "#app/features/games/rules.ts";
import { useBackTarget } from "#app/ui/back-link.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Thumbnail } from "#app/ui/picture.tsx";
import { CentreCircle } from "#app/ui/pitch-lines.tsx";
import type { CardView } from "./list-view.server.ts";

type GameCardProps = {
  game: CardView;
  /** With a wide photo on large screens. */
  isWide?: boolean | undefined;
  /** Its photo is the first of the page. */
  isFirst?: boolean | undefined;
};

/** The whole card is a link. */
export function GameCard({ game, isWide, isFirst }: GameCardProps) {
  return (
    <CardLink game={game} className={classNames(card, isWide && "lg:grid-cols-[12rem_1fr]")}>
      <Photo game={game} isFirst={isFirst}>
        <Faces faces={game.faces} />
      </Photo>
      <div className="min-w-0 px-3 py-2 max-[22rem]:px-2.5">
        <div className="flex flex-wrap items-center justify-between gap-x-2">
          <p className="tabular-nums">
            <span className="text-lg font-bold">{game.start}</span> – {game.end}
          </p>
          {game.isIn && (
            <Badge tone="lime" size="sm">
              You're in
            </Badge>
          )}
        </div>
        <div className="flex flex-wrap items-baseline gap-x-2">
          <h3 className="line-clamp-2 text-base">{game.venueName}</h3>
          <p className="text-sm text-muted">{game.city}</p>
        </div>
        <p className="mb-1 text-sm text-muted">
          {game.facts}
          {game.players && <span className="sr-only">{game.players}</span>}
        </p>
        <Badges game={game} />
      </div>
    </CardLink>
  );
}

const card =
  "grid h-full grid-cols-[5.5rem_1fr] overflow-hidden rounded-card bg-surface shadow-card " +
  "max-[22rem]:grid-cols-[4rem_1fr]";

/** A game that cannot be joined, as one row. */
export function GameRow({ game }: { game: CardView }) {
  return (
    <CardLink
      game={game}
      className="grid grid-cols-[4rem_1fr] overflow-hidden rounded-card border border-line"
    >
      <Photo game={game} />
      <div className="grid min-w-0 gap-1 px-3 py-2 sm:flex sm:items-center sm:justify-between">
        <div className="flex flex-wrap items-baseline gap-x-2 text-sm text-muted">
          <p className="font-semibold tabular-nums">
            {game.start} – {game.end}
          </p>
          <h3 className="line-clamp-2 text-sm">{game.venueName}</h3>
          <p className="max-sm:sr-only">{game.city}</p>
        </div>
        <Badges game={game} />
      </div>
    </CardLink>
  );
}

type CardLinkProps = { game: CardView; className: string; children: ReactNode };

function CardLink({ game, className, children }: CardLinkProps) {
  return (
    <Link
      to={`/events/${game.id}`}
      state={useBackTarget()}
      prefetch="intent"
      viewTransition
      className={className}
    >
      {children}
    </Link>
  );
}

type PhotoProps = { game: CardView; isFirst?: boolean | undefined; children?: ReactNode };

function Photo({ game, isFirst, children }: PhotoProps) {
  // View transition between the list and this game's page.
  const travels = useViewTransitionState(`/events/${game.id}`);
  return (
    <div className={classNames(photo, travels && "vt-photo")}>
      {game.photoUrl ? (
        <Thumbnail
          src={game.photoUrl}
          priority={isFirst}
          className="absolute size-full object-cover"
        />
      ) : (
        <CentreCircle className="top-1/2 left-1/2 h-full -translate-1/2 text-chalk/30" />
      )}
      {children}
    </div>
  );
}

const photo = "relative isolate overflow-hidden bg-linear-to-br from-night to-grass";

function Faces({ faces }: { faces: CardView["faces"] }) {
  if (faces.length === 0) return null;
  return (
    <div aria-hidden className="faces absolute bottom-1 left-1">
      {faces.map(({ src, initial }, index) =>
        src ? (
          <img key={index} src={src} alt="" width="24" height="24" loading="lazy" />
        ) : (
          <span key={index}>{initial}</span>
        ),
      )}
    </div>
  );
}

function Badges({ game }: { game: CardView }) {
  return (
    <p className="flex flex-wrap gap-1.5">
      {game.isFree ? (
        <Badge tone="outline" size="sm" className="uppercase">
          {game.price} for you
        </Badge>
      ) : (
        <Badge size="sm">{game.price}</Badge>
      )}
      <Badge tone={spotsTone(game.spots)} size="sm">
        {spotsText(game.spots)}
      </Badge>
    </p>
  );
}
