import { useEffect } from "react";
import { useLocation } from "react-router";
import { BibLabel } from "#app/features/teams/bib-label.tsx";
import { IntentForm, SubmitButton } from "#app/forms/intent-form.tsx";
import { Panel } from "#app/routes/admin/page.tsx";
import type { TeamPlayerView, TeamsView, TeamView } from "./view.server.ts";

type ViewProps = { view: TeamsView };

/** Players who joined after the teams were made. */
export function Unplaced({ view }: ViewProps) {
  const { unplaced, version } = view;
  return (
    <Panel
      title="Not in a team yet"
      about="Joined after the teams were made."
      aside={
        view.isOn && (
          <IntentForm intent="place" hidden={{ version }}>
            <SubmitButton variant="primary" pendingLabel="Placing…">
              {unplaced.length === 1 ? "Place the player" : "Place them"}
            </SubmitButton>
          </IntentForm>
        )
      }
    >
      <Players players={unplaced} to={view.teams} view={view} />
    </Panel>
  );
}

export function Team({ team, view }: ViewProps & { team: TeamView }) {
  return (
    <Panel title={<BibLabel bib={team.bib} />} about={team.about}>
      {team.players.length === 0 ? (
        <p className="text-muted">Nobody is in this team.</p>
      ) : (
        <Players
          players={team.players}
          to={view.teams.filter(({ number }) => number !== team.number)}
          view={view}
        />
      )}
    </Panel>
  );
}

type PlayersProps = ViewProps & { players: TeamPlayerView[]; to: TeamView[] };

function Players({ players, to, view }: PlayersProps) {
  return (
    <ul className="grid divide-y divide-line">
      {players.map(({ id, name, facts }) => (
        <li
          key={id}
          id={`player-${id}`}
          tabIndex={-1}
          className="flex scroll-mt-20 flex-wrap items-center gap-x-3 gap-y-2 py-2 outline-none"
        >
          <div className="min-w-0 grow basis-32">
            <p translate="no" className="font-semibold wrap-anywhere">
              {name}
            </p>
            {facts && <p className="text-sm text-muted wrap-anywhere">{facts}</p>}
          </div>
          {view.isOn && (
            <div className="flex flex-wrap gap-2">
              {to.map((team) => (
                <IntentForm
                  key={team.number}
                  intent="move"
                  hidden={{ version: view.version, bookingId: id, team: team.number }}
                  preventScrollReset
                  className="contents"
                >
                  <SubmitButton pendingLabel="Moving…">
                    {`To ${team.bib === "None" ? "no bibs" : team.name}`}
                    <span className="sr-only">{`: ${name}`}</span>
                  </SubmitButton>
                </IntentForm>
              ))}
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

/** A moved player stands in another list, so the button that moved them is gone. */
export function useMovedFocus(version: number) {
  const { hash } = useLocation();
  useEffect(() => {
    if (document.activeElement !== document.body || !hash.startsWith("#player-")) return;
    document.querySelector<HTMLElement>(`[id="${CSS.escape(hash.slice(1))}"]`)?.focus();
  }, [version, hash]);
}
