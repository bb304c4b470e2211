import { Link } from "react-router";
import { useBackTarget } from "#app/ui/back-link.tsx";
import { ChevronRight } from "#app/ui/icon.tsx";
import { GameLine } from "./game-line.tsx";
import type { GameWords } from "./game-words.ts";

/** The next games of a venue, each leading to its page. */
export function UpcomingGames({ games }: { games: GameWords[] }) {
  const fromHere = useBackTarget();
  return (
    <section
      aria-labelledby="upcoming-games"
      className="self-start rounded-card bg-surface p-4 shadow-card lg:col-start-2 lg:row-span-2 lg:row-start-1"
    >
      <h2 id="upcoming-games" className="text-lg">
        Upcoming games
      </h2>
      {games.length === 0 && <p className="pt-2 text-muted">No upcoming games at this venue.</p>}
      <ul className="mt-2 divide-y divide-line">
        {games.map((game) => (
          <li key={game.id}>
            <Link
              to={`/events/${game.id}`}
              state={fromHere}
              prefetch="intent"
              viewTransition
              className="group -mx-2 flex items-center gap-1 rounded-card px-2 py-2 hover:bg-sunken"
            >
              <span className="min-w-0 grow">
                <span className="block truncate text-sm text-muted">{game.title}</span>
                <GameLine game={game} />
              </span>
              <ChevronRight className="size-5 text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
