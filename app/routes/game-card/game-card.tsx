import type { ReactNode } from "react";
import { Link, useViewTransitionState } from "react-router";
import { playersText, spotsText, spotsTone } from "#app/features/games/rules.ts";
import { useBackTarget } from "#app/ui/back-link.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Thumbnail } from "#app/ui/picture.tsx";
import { CentreCircle } from "#app/ui/pitch-lines.tsx";
import { Rolling } from "#app/ui/rolling.tsx";
import type { LiveGame } from "#app/live/live-stream.ts";
import type { CardView } from "./list-view.server.ts";

type LiveCard = CardView & {
  isLive?: boolean;
  /** Cancelled or withdrawn since the list was loaded. */
  isGone?: boolean;
};

/** Adds the current numbers. A game that fills up or ends keeps its place in the list. */
export function withLiveSpots(game: CardView, live: LiveGame | null | undefined): LiveCard {
  if (live === null) return { ...game, ...NOBODYS, isGone: true };
  if (!live) return game;
  const players = game.players && playersText(live.joined);
  return { ...game, spots: live.spots, players, minimum: live.minimum, isLive: true };
}

const NOBODYS = {
  viewerIs: null,
  unread: null,
  minimum: null,
  players: "",
  faces: [],
};

type GameCardProps = {
  game: LiveCard;
  isWide?: boolean | undefined;
  /** Its photo is the page's first one. */
  isFirst?: boolean | undefined;
};

export function GameCard({ game, isWide, isFirst }: GameCardProps) {
  return (
    <CardLink game={game} className={classNames(card, isWide && "lg:grid-cols-[12rem_1fr]")}>
      <Photo game={game} isFirst={isFirst} isWide={isWide} />
      <div className="min-w-0 px-3 py-2 max-[22rem]:px-2.5">
        {game.viewerIs === "in" && (
          <Badge tone="lime" size="sm" className="float-right ml-2">
            You're in
          </Badge>
        )}
        <p className="tabular-nums">
          <b className="text-lg">{game.start}</b> – {game.end}
        </p>
        <h3 translate="no" className="line-clamp-3 text-base">
          {game.venueName}{" "}
          <span className="text-sm font-normal tracking-normal text-muted">{game.city}</span>
        </h3>
        <p className="mb-1 text-sm text-muted">{game.facts}</p>
        {game.minimum && <p className="mb-1 text-sm tabular-nums">{game.minimum}</p>}
        <Badges game={game} />
      </div>
      {game.players && <Faces game={game} />}
    </CardLink>
  );
}

const card =
  "relative grid h-full grid-cols-[5.5rem_1fr] overflow-hidden rounded-card bg-surface " +
  "shadow-card max-[22rem]:grid-cols-[4rem_1fr]";

export function GameRow({ game }: { game: LiveCard }) {
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
          <h3 translate="no" className="line-clamp-2 text-sm">
            {game.venueName}
          </h3>
          <p className="max-sm:sr-only">{game.city}</p>
          {game.minimum && <p className="w-full tabular-nums">{game.minimum}</p>}
        </div>
        <Badges game={game} />
      </div>
    </CardLink>
  );
}

type CardLinkProps = { game: LiveCard; className: string; children: ReactNode };

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

function Photo({ game, isFirst, isWide }: GameCardProps) {
  // View transition between the list and this game's page.
  const travels = useViewTransitionState(`/events/${game.id}`);
  const className = classNames(photo, travels && "vt-photo");
  if (game.photoUrl) {
    const { photoUrl } = game;
    return <Thumbnail src={photoUrl} priority={isFirst} isWide={isWide} className={className} />;
  }
  return (
    <div className={className}>
      <CentreCircle className="top-1/2 left-1/2 h-full -translate-1/2 text-chalk/30" />
    </div>
  );
}

const photo = "relative isolate overflow-hidden bg-pitch";

function Faces({ game }: { game: CardView }) {
  return (
    <div role="img" aria-label={game.players} className="faces absolute bottom-1 left-1">
      {game.faces.map((face, index) =>
        face.startsWith("/") ? (
          <img key={index} src={face} alt="" width="24" height="24" loading="lazy" />
        ) : (
          <span key={index}>{face}</span>
        ),
      )}
    </div>
  );
}

function Badges({ game }: { game: LiveCard }) {
  if (game.isGone) {
    return (
      <p>
        <Badge tone="red" size="sm">
          No longer on
        </Badge>
      </p>
    );
  }
  return (
    <p className="flex flex-wrap gap-1.5">
      <Badge size="sm">{game.credits}</Badge>
      {game.free && (
        // Wide letters need two lines on a phone.
        <Badge tone="outline" size="sm" className="whitespace-normal!">
          {game.free}
        </Badge>
      )}
      <Badge tone={spotsTone(game.spots)} size="sm">
        <Rolling text={spotsText(game.spots)} isLive={game.isLive ?? false} />
      </Badge>
      {game.unread && (
        <Badge tone="sky" size="sm">
          {game.unread}
        </Badge>
      )}
      {game.viewerIs === "waiting" && (
        <Badge tone="sky" size="sm">
          On the waitlist
        </Badge>
      )}
    </p>
  );
}
