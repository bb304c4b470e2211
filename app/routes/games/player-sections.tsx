import type { ReactNode } from "react";
import { GameChat } from "#app/routes/games/chat/game-chat.tsx";
import type { FormResult } from "#app/forms/form-result.ts";
import { Invite } from "#app/routes/games/friends/invite.tsx";
import type { GamePage } from "./game-page.server.ts";
import { LinkedText } from "#app/routes/games/chat/linked-text.tsx";
import { invitesIn, Section } from "./game-sections.tsx";
import { BibLabel } from "#app/features/teams/bib-label.tsx";
import type { TeamsView } from "./teams-view.server.ts";

interface PlayerSectionsProps {
  game: GamePage;
  result: FormResult | undefined;
  messageId: string | null;
}

/** What only a game's players see, in one file that others do not load. */
export default function PlayerSections({
  game,
  result,
  messageId,
}: PlayerSectionsProps): ReactNode {
  const hasInvite = invitesIn(game) || (game.isIn && result !== undefined);
  return (
    <>
      {game.teams && <GameTeams teams={game.teams} />}
      {hasInvite && <Invite game={game} friends={game.friends} result={result} />}
      {game.chat && <GameChat chat={game.chat} messageId={messageId} />}
      {game.organiser && <FromOrganiser organiser={game.organiser} />}
    </>
  );
}

type Organiser = NonNullable<GamePage["organiser"]>;

/** Below the players: there it moves nothing that is read while joining. */
function FromOrganiser({ organiser: { notes, messages } }: { organiser: Organiser }) {
  if (notes.length === 0 && messages.length === 0) return null;
  return (
    <Section title="From the organiser">
      <div className="grid divide-y divide-line rounded-card bg-surface px-4 shadow-card">
        {notes.map(({ parts }, n) => (
          <LinkedText key={n} parts={parts} className="py-4" />
        ))}
        {messages.map(({ id, subject, parts, sent }) => (
          <article key={id} className="py-4">
            <h3 className="font-bold wrap-anywhere">{subject}</h3>
            <p className="text-sm text-muted tabular-nums">{sent}</p>
            <LinkedText parts={parts} className="mt-1" />
          </article>
        ))}
      </div>
    </Section>
  );
}

function GameTeams({ teams: { teams, unplaced, own } }: { teams: TeamsView }) {
  return (
    <Section title="Teams">
      {own && <p>{own}</p>}
      <div className="grid gap-2 min-[24rem]:grid-cols-2 sm:gap-3">
        {teams.map(({ bib, players }) => (
          <section key={bib} className="rounded-card bg-surface p-3 shadow-card sm:p-4">
            <h3 className="font-bold">
              <BibLabel bib={bib} />
            </h3>
            <Names players={players} />
          </section>
        ))}
      </div>
      {unplaced.length > 0 && (
        <div>
          <h3 className="font-bold">Not in a team yet</h3>
          <Names players={unplaced} />
        </div>
      )}
    </Section>
  );
}

function Names({ players }: { players: TeamsView["unplaced"] }) {
  return (
    <ul className="mt-2 grid gap-1">
      {players.map(({ userId, name, isViewer }) => (
        <li key={userId} className={isViewer ? "font-bold wrap-anywhere" : "wrap-anywhere"}>
          <span translate="no">{name}</span>
          {isViewer && " (you)"}
        </li>
      ))}
    </ul>
  );
}
