import { data } from "react-router";
import { findPlannedGame } from "#app/features/games/admin-games.server.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { appContext } from "#app/routes/context.server.ts";
import { metaOf } from "#app/routes/meta.ts";
import { Missing } from "#app/routes/error-screens.tsx";
import type { Route } from "./+types/print";
import { loadRoster, type Roster } from "./game-view.server.ts";

/** The roster on paper: names, positions and boxes to tick. It has no phone numbers to lose. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const game = await findPlannedGame(app.db, params.gameId);
  if (!game) return data(null, 404);
  const roster = await loadRoster(app, game);
  const players = roster.players.map((player) => ({ ...player, phone: null }));
  return data({ roster: { ...roster, players } });
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
      <Players roster={roster} />
    </main>
  );
}

const BOXES = ["Here", "Paid", "Goals", "Won"];

function Players({ roster }: { roster: Roster }) {
  if (roster.players.length === 0) return <p>Nobody is in yet.</p>;
  return (
    // On a phone it is wider than the screen; on paper it is not.
    <div
      role="region"
      aria-label="Players"
      tabIndex={0}
      className="relative overflow-x-auto print:overflow-visible"
    >
      <table className="w-full border-collapse text-left">
        <thead>
          <tr className="border-b-2 border-current">
            <th scope="col" className="py-2">
              Name
            </th>
            <th scope="col" className="pr-3">
              Position
            </th>
            {BOXES.map((box) => (
              <th key={box} scope="col" className="px-1 text-center">
                {box}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {roster.players.map((player) => (
            <tr key={player.bookingId} className="break-inside-avoid border-b border-current">
              <th scope="row" className="py-2 pr-2 font-semibold">
                {player.name}
                {player.cameWith && (
                  <span className="font-normal">{`, with ${player.cameWith}`}</span>
                )}
              </th>
              <td>{player.position}</td>
              {BOXES.map((box) => (
                <td key={box} className="px-1 text-center">
                  <span className="inline-block size-5 border border-current align-middle" />
                  <span className="sr-only">
                    {box === "Paid" ? player.paymentStatus : "to fill in"}
                  </span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
