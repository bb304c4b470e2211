import { Link } from "react-router";
import { GAME_COSTS } from "#app/features/games/price.ts";
import { GameCard } from "#app/routes/game-card/game-card.tsx";
import type { NextGamesView } from "./next-games.server.ts";

/** What is on, before signing up; nothing without games. */
export function NextGames({ games, free }: NextGamesView) {
  if (games.length === 0) return null;
  return (
    <section aria-labelledby="next-games" className="mx-auto max-w-6xl px-4 pt-8">
      <h2 id="next-games" className="text-xl">
        Next games
      </h2>
      <p className="mt-1 text-muted">{GAME_COSTS}</p>
      {free && (
        <p>
          <Link
            to={`/events/${free.gameId}`}
            className="link inline-flex min-h-11 items-center font-semibold"
          >
            {free.text}
          </Link>
        </p>
      )}
      <ul className="mt-3 grid gap-4 lg:grid-cols-3">
        {games.map((game) => (
          <li key={game.id} className="grid grid-rows-[auto_1fr] gap-1.5">
            <p className="flex items-baseline gap-2 text-sm">
              <span className="wide font-extrabold">{game.weekday}</span>
              <time dateTime={game.date} className="text-muted">
                {game.day}
              </time>
            </p>
            <GameCard game={game} />
          </li>
        ))}
      </ul>
    </section>
  );
}
