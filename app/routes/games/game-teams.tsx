import { BibLabel } from "#app/features/teams/bib-label.tsx";
import { Section } from "./game-sections.tsx";
import type { TeamsView } from "./teams-view.server.ts";

export function GameTeams({ teams: { teams, unplaced, own } }: { teams: TeamsView }) {
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
