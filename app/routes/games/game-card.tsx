import type { ReactNode } from "react";
import { Link, useViewTransitionState } from "react-router";
import { spotsText, spotsTone } from "#app/features/games/rules.ts";
import { useBackTarget } from "#app/ui/back-link.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Picture, Thumbnail } from "#app/ui/picture.tsx";
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
    <CardLink game={game} className={classNames(card, isWide && "lg:grid-cols-[20rem_1fr]")}>
      <Photo game={game} isWide={isWide} isFirst={isFirst}>
        {game.isIn && (
          <Badge tone="lime" size="sm" className="absolute top-1.5 left-1.5">
            You're in
          </Badge>
        )}
        <Faces faces={game.faces} />
      </Photo>
      <div className="min-w-0 px-3 py-2.5">
        <p className="tabular-nums">
          <span className="text-lg font-bold">{game.start}</span> – {game.end}
        </p>
        <div className="flex flex-wrap items-baseline gap-x-2">
          <h3 className="line-clamp-2 text-base">{game.venueName}</h3>
          <p className="text-sm text-muted">{game.city}</p>
        </div>
        <p className="text-sm text-muted">
          {game.facts}
          {game.players && <span className="sr-only">{game.players}</span>}
        </p>
        <Badges game={game} />
      </div>
    </CardLink>
  );
}

const card =
  "group grid h-full grid-cols-[5.5rem_1fr] overflow-hidden rounded-card bg-surface shadow-card max-[22rem]:grid-cols-[4.5rem_1fr]";

/** A game that cannot be joined, as one row. */
export function GameRow({ game }: { game: CardView }) {
  return (
    <CardLink
      game={game}
      className="grid grid-cols-[4rem_1fr] overflow-hidden rounded-card border border-line"
    >
      <Photo game={game} />
      <div className="min-w-0 px-3 py-2 sm:flex sm:grow sm:items-center sm:justify-between sm:gap-4">
        <div className="flex flex-wrap items-baseline gap-x-2 text-sm text-muted">
          <p className="font-semibold tabular-nums">
            {game.start} – {game.end}
          </p>
          <h3 className="line-clamp-2 text-sm">{game.venueName}</h3>
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

type PhotoProps = GameCardProps & { children?: ReactNode };

function Photo({ game, isWide, isFirst, children }: PhotoProps) {
  // View transition between the list and this game's page.
  const travels = useViewTransitionState(`/events/${game.id}`);
  const shared = {
    src: game.photoUrl ?? "",
    priority: isFirst,
    className: "size-full object-cover",
  };
  return (
    <div className={classNames(photo, travels && "vt-photo")}>
      {!game.photoUrl && (
        <CentreCircle className="top-1/2 left-1/2 h-full -translate-1/2 text-chalk/30" />
      )}
      {game.photoUrl && !isWide && <Thumbnail {...shared} />}
      {game.photoUrl && isWide && <Picture {...shared} alt="" sizes={WIDE_SIZES} />}
      {children}
    </div>
  );
}

const photo = "relative isolate overflow-hidden bg-linear-to-br from-night to-grass";
const WIDE_SIZES = "(min-width: 1024px) 360px, 88px";

function Faces({ faces }: { faces: CardView["faces"] }) {
  if (faces.length === 0) return null;
  return (
    <div aria-hidden className="faces absolute bottom-1.5 left-1.5">
      {faces.map(({ src, initial }, index) =>
        src ? (
          <img key={index} src={src} alt="" width="28" height="28" loading="lazy" />
        ) : (
          <span key={index}>{initial}</span>
        ),
      )}
    </div>
  );
}

function Badges({ game }: { game: CardView }) {
  return (
    <p className="mt-1.5 flex flex-wrap gap-1.5">
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
