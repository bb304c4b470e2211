import type { ReactNode } from "react";
import { Link } from "react-router";
import { playersText, spotsText } from "#app/features/games/rules.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { useBackTarget } from "#app/ui/back-link.tsx";
import { buttonClass, ButtonLink } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { External, Share } from "#app/ui/icon.tsx";
import { Progress } from "#app/ui/progress.tsx";
import { ShareGame } from "./friends/share-game.tsx";
import type { GamePage } from "./game-page.server.ts";

type SectionProps = { title: string; className?: string; children: ReactNode };

export function Section({ title, className, children }: SectionProps) {
  return (
    <section className={classNames("grid gap-3", className)}>
      <h2 className="text-lg">{title}</h2>
      {children}
    </section>
  );
}

/** Whether its section "Invite" stands on the page. */
export const invitesIn = ({ isIn, hasStarted, isCalledOff, isDraft }: GamePage) =>
  isIn && !hasStarted && !isCalledOff && !isDraft;

/** In the header: who is in finds all ways to invite further down, and nothing moves on joining. */
export function ShareOrInvite({ game }: { game: GamePage }) {
  const icon = <Share className="size-5" />;
  if (invitesIn(game)) {
    return (
      <a href="#friends" className={buttonClass({})}>
        {icon} Invite
      </a>
    );
  }
  const isFull = game.spots === 0 && !game.isIn && !game.hasSpot && !game.hasStarted;
  return (
    <>
      <ShareGame game={game}>{icon} SHARE GAME</ShareGame>
      {isFull && (
        <Link
          to={game.isSignedIn ? "/events" : "/"}
          className="link flex min-h-11 items-center font-semibold"
        >
          Find another game
        </Link>
      )}
    </>
  );
}

export function About({ game }: { game: GamePage }) {
  const facts = [
    ["Duration", `${game.minutes} minutes`],
    ["Setting", game.surroundings],
    ["Format", game.format],
    ...(game.level ? [["Level", game.level]] : []),
  ];
  return (
    <Section title="About This Game">
      <dl
        className={`grid gap-2 sm:gap-3 ${facts.length > 3 ? "grid-cols-2 sm:grid-cols-4" : "grid-cols-3"}`}
      >
        {facts.map(([name, value]) => (
          <div key={name} className="rounded-card bg-surface p-2.5 shadow-card sm:p-3">
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="font-bold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

export function Description({ text }: { text: string }) {
  return (
    <Section title="Game Description">
      <p className="wrap-anywhere whitespace-pre-line">{text}</p>
    </Section>
  );
}

export function CancellationPolicy({ policy }: { policy: string[] }) {
  return (
    <Section title="Game Cancellation Policy">
      <ul className="grid list-disc gap-1 pl-5 text-muted">
        {policy.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <p>
        <Link to="/terms" className="inline-flex min-h-11 items-center font-semibold underline">
          Terms &amp; Conditions
        </Link>
      </p>
    </Section>
  );
}

export function Venue({ venue }: { venue: GamePage["venue"] }) {
  return (
    <Section title="Venue" className="lg:order-first">
      <div className="grid gap-3 rounded-card bg-surface p-4 shadow-card sm:flex sm:items-center sm:justify-between lg:grid lg:justify-start">
        <div>
          <p translate="no" className="font-bold">
            {venue.name}
          </p>
          <p translate="no" className="text-muted">
            {venue.place}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {venue.page && <ButtonLink to={venue.page}>View venue</ButtonLink>}
          {venue.mapsUrl && (
            <ButtonLink to={venue.mapsUrl} rel="noreferrer" target="_blank" variant="quiet">
              Directions <External className="size-4" />
            </ButtonLink>
          )}
        </div>
      </div>
    </Section>
  );
}

/** Visitors see how many play, but not who. */
export function GamePlayers({ game }: { game: GamePage }) {
  return (
    <Section title="Players">
      <Progress
        label={`${game.joinedCount} confirmed`}
        text={game.isOver ? `of ${game.maxPlayers} spots` : spotsText(game.spots)}
        value={game.joinedCount}
        max={game.maxPlayers}
      />
      {game.joinedCount === 0 ? <NobodyYet game={game} /> : <Grid game={game} />}
    </Section>
  );
}

function NobodyYet({ game }: { game: GamePage }) {
  return (
    <p className="text-muted">
      {game.isOver ? "Nobody joined this game." : "This game has no players yet."}{" "}
      {!game.hasStarted && !game.isDraft && (
        <a
          href="#join"
          className="inline-flex min-h-11 items-center font-semibold text-ink underline"
        >
          Join game
        </a>
      )}
    </p>
  );
}

function Grid({ game }: { game: GamePage }) {
  const fromHere = useBackTarget();
  if (game.players.length === 0) {
    return (
      <p className="flex flex-wrap gap-2">
        <span className="sr-only">{`${playersText(game.joinedCount)}. Sign in to see who's playing.`}</span>
        {Array.from({ length: game.joinedCount }, (_, index) => (
          <Avatar key={index} />
        ))}
      </p>
    );
  }
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] gap-3">
      {game.players.map((player) => (
        <li key={player.userId}>
          <Link
            to={`/profile/${player.userId}`}
            state={fromHere}
            className="grid justify-items-center gap-1 rounded-card p-2 text-center text-sm hover:bg-sunken"
          >
            <Avatar src={player.pictureUrl} name={player.name} />
            <span translate="no" className="line-clamp-2 max-w-full hyphens-auto wrap-break-word">
              {player.name}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
