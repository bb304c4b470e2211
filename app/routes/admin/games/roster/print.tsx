import { data } from "react-router";
import { BibLabel } from "#app/features/teams/bib-label.tsx";
import { bibName } from "#app/features/teams/bibs.ts";
import { findPlannedGame } from "#app/features/games/admin-games.server.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { appContext } from "#app/routes/context.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { Missing } from "#app/routes/error-screens.tsx";
import type { Route } from "./+types/print";
import {
  loadRoster,
  type Roster,
  type RosterPlayer,
} from "#app/routes/admin/games/game-view.server.ts";
import { scoresOf } from "#app/features/teams/result-rules.ts";

/** The roster on paper: names, positions and boxes to tick. It has no phone numbers to lose. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const game = await findPlannedGame(app.db, params.gameId);
  if (!game) return data(null, 404);
  const roster = await loadRoster(app, game);
  const players = roster.players.map((player) => ({ ...player, phone: null }));
  return data({ roster: { ...roster, players, former: [] } });
}

export const meta = metaOf({ title: "Players to print" });

export default function Print({ loaderData }: Route.ComponentProps) {
  const hydrated = useHydrated();
  if (!loaderData) {
    return <Missing title="Game not found" back={{ to: "/admin/games", label: "Back to Games" }} />;
  }
  const { roster } = loaderData;
  return (
    <main className="mx-auto grid max-w-3xl gap-4 p-4 print:max-w-none print:bg-white print:p-0 print:text-black">
      <div className="flex flex-wrap gap-3 print:hidden">
        <ButtonLink to={`/admin/games/${roster.gameId}`}>Back to the game</ButtonLink>
        {hydrated && (
          <Button type="button" variant="primary" onClick={() => window.print()}>
            Print
          </Button>
        )}
      </div>
      <div>
        <h1 className="text-xl">{roster.heading}</h1>
        <p>{roster.place}</p>
      </div>
      <PrintedRoster roster={roster} />
    </main>
  );
}

/** By team if there are teams: then the score says who has won. */
function PrintedRoster({ roster: { players, teams, result } }: { roster: Roster }) {
  if (players.length === 0) return <p>Nobody is in yet.</p>;
  if (teams.length === 0) return <Players label="Players" players={players} columns={COLUMNS} />;
  const rest = players.filter(({ team }) => team === null);
  return (
    <>
      {teams.map(({ number, bib }) => (
        <section key={number} className="grid gap-2">
          <h2 className="flex items-center gap-4 text-lg">
            <BibLabel bib={bib} />
            <span className="ml-auto flex items-center gap-2 text-base">
              Score{" "}
              {result ? (
                <span className="tabular-nums">{scoresOf(result)[number - 1]}</span>
              ) : (
                <span className="inline-block h-8 w-14 border border-current" />
              )}
            </span>
          </h2>
          <Players
            label={bibName(bib)}
            players={players.filter(({ team }) => team === number)}
            columns={TEAM_COLUMNS}
          />
        </section>
      ))}
      {rest.length > 0 && (
        <section className="grid gap-2">
          <h2 className="text-lg">Not in a team yet</h2>
          <Players label="Not in a team yet" players={rest} columns={TEAM_COLUMNS} />
        </section>
      )}
    </>
  );
}

type Column = "Here" | "Paid" | "Goals" | "Won";

/** Known facts are printed; a box is for an open one. */
const KNOWN: Record<Column, (player: RosterPlayer) => string | null> = {
  Here: ({ attendance, isExcused }) => {
    const absent = isExcused ? "Excused" : "No-show";
    return attendance && { CheckedIn: "✓", NoShow: absent }[attendance];
  },
  Paid: ({ paymentStatus, isNotCollected, cash }) => {
    if (isNotCollected) return "Not collected";
    return paymentStatus === "Paid" ? (cash ?? "Paid") : null;
  },
  Goals: ({ goals }) => (goals === null ? null : String(goals)),
  Won: ({ hasWon }) => (hasWon === null ? null : hasWon ? "✓" : "–"),
};

const TEAM_COLUMNS: Column[] = ["Here", "Paid", "Goals"];
const COLUMNS: Column[] = [...TEAM_COLUMNS, "Won"];

interface PlayersProps {
  label: string;
  players: Roster["players"];
  columns: Column[];
}

function Players({ label, players, columns }: PlayersProps) {
  return (
    // On a phone it is wider than the screen; on paper it is not.
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className="relative overflow-x-auto print:overflow-visible"
    >
      <table className="w-full border-collapse text-left">
        <thead>
          <tr className="border-b-2 border-current">
            <th scope="col" className="w-2/5 py-2">
              Name
            </th>
            <th scope="col" className="w-1/4 pr-3">
              Position
            </th>
            {columns.map((name) => (
              <th key={name} scope="col" className="px-1 text-center">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {players.map((player) => (
            <tr key={player.bookingId} className="break-inside-avoid border-b border-current">
              <th scope="row" className="py-2 pr-2 font-semibold">
                <span translate="no">{player.name}</span>
                {player.cameWith && (
                  <span className="font-normal">{`, with ${player.cameWith}`}</span>
                )}
              </th>
              <td>{player.position}</td>
              {columns.map((name) => (
                <td key={name} className="px-1 text-center">
                  {KNOWN[name](player) ?? <Box label={name === "Paid" ? "Unpaid" : "to fill in"} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Box({ label }: { label: string }) {
  return (
    <>
      <span className="inline-block size-5 border border-current align-middle" />
      <span className="sr-only">{label}</span>
    </>
  );
}
