import type { ComponentType, ReactNode } from "react";
import { Link } from "react-router";
import { GameTicket } from "#app/features/games/game-ticket.tsx";
import { LinkedText } from "#app/routes/games/chat/linked-text.tsx";
import { InviteLinks } from "#app/routes/games/friends/invite-links.tsx";
import type { GamePage } from "#app/routes/games/game-page.server.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { icon, Person, Pin, Share } from "#app/ui/icon.tsx";
import type { Route } from "./+types/show";

type Players = Route.ComponentProps["loaderData"]["players"];

/** All that somebody who has just joined needs for the game. */
export function Evening({ game, players }: { game: GamePage; players: Players }) {
  return (
    <div className="grid gap-6">
      <GameTicket game={game} />
      <Way game={game} />
      <ToKnow game={game} />
      <WhoIsIn players={players} />
      <Block icon={Share} title="Invite">
        <InviteLinks game={game} />
      </Block>
      <Link to="/settings/calendar" className="link inline-flex min-h-11 items-center text-sm">
        Keep all your games in your calendar
      </Link>
    </div>
  );
}

type BlockProps = {
  icon: ComponentType<{ className?: string }>;
  title: string;
  children: ReactNode;
};

function Block({ icon: Icon, title, children }: BlockProps) {
  return (
    <section className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-2">
      <Icon className="size-6 text-muted" />
      <h3 className="text-base font-bold">{title}</h3>
      <div className="col-start-2 grid min-w-0 justify-items-start gap-2 max-[20rem]:col-span-2 max-[20rem]:col-start-1">
        {children}
      </div>
    </section>
  );
}

function Way({ game: { organiser } }: { game: GamePage }) {
  const door = organiser?.notes.filter(({ isOfVenue }) => isOfVenue) ?? [];
  if (door.length === 0) return null;
  return (
    <Block icon={Pin} title="Getting there">
      {door.map(({ parts }, n) => (
        <LinkedText key={n} parts={parts} />
      ))}
    </Block>
  );
}

/** What the organiser has written, and the bibs once there are teams: nothing is made up. */
function ToKnow({ game: { description, organiser, teams } }: { game: GamePage }) {
  const notes = organiser?.notes.filter(({ isOfVenue }) => !isOfVenue) ?? [];
  if (!description && notes.length === 0 && !teams?.own) return null;
  return (
    <Block icon={Shirt} title="What to bring and know">
      {teams?.own && <p>{teams.own}</p>}
      {notes.map(({ parts }, n) => (
        <LinkedText key={n} parts={parts} />
      ))}
      {description && (
        <p dir="auto" className="wrap-anywhere whitespace-pre-line">
          {description}
        </p>
      )}
    </Block>
  );
}

function WhoIsIn({ players: { faces, more } }: { players: Players }) {
  if (faces.length === 0) {
    return (
      <Block icon={Person} title="Who is in">
        <p>You are the first.</p>
      </Block>
    );
  }
  return (
    <Block icon={Person} title="Who is in">
      <ul className="flex flex-wrap gap-x-3 gap-y-2">
        {faces.map(({ userId, firstName, name, pictureUrl }) => (
          <li key={userId} className="flex min-w-0 items-center gap-2">
            <Avatar size="sm" src={pictureUrl} name={name} />
            <span translate="no" className="wrap-anywhere">
              {firstName}
            </span>
          </li>
        ))}
        {more > 0 && <li className="py-1 text-muted">{`and ${more} more`}</li>}
      </ul>
    </Block>
  );
}

const Shirt = icon(
  <path d="M8 3.5 3 6.5l2 4.5 2-1v10.5h10V10l2 1 2-4.5-5-3c-.6 1.5-2 2.5-4 2.5s-3.400-1-4-2.500Z" />,
);
