import { Link } from "react-router";
import { GAME_PRICE_CENTS } from "#app/features/games/rules.ts";
import { creditsCount, creditsText } from "#app/platform/money.ts";
import { Badge } from "#app/ui/badge.tsx";
import type { NextGamesView } from "./next-games.server.ts";

/** "10 credits = 10 €". */
export const PRICE = `${creditsCount(GAME_PRICE_CENTS)} = ${creditsText(GAME_PRICE_CENTS)}\u00a0€`;

/** What is on, before anybody signs up; without games there is nothing to show. */
export function NextGames({ games, free }: NextGamesView) {
  if (games.length === 0) return null;
  return (
    <section aria-labelledby="next-games" className="mx-auto max-w-6xl px-4 pt-10">
      <h2 id="next-games" className="text-xl">
        Next games
      </h2>
      <p className="mt-1 text-muted">{`A game costs ${PRICE}.`}</p>
      {free && (
        <p className="mt-1">
          Your first session is free:{" "}
          <Link to={free.path} className="link font-semibold">
            {free.name}
          </Link>
        </p>
      )}
      <ul className="mt-4 grid gap-3 md:grid-cols-3">
        {games.map((game) => (
          <li key={game.path} className="grid">
            <NextGame {...game} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The whole card is a link. */
function NextGame(game: NextGamesView["games"][number]) {
  return (
    <Link
      to={game.path}
      className="grid grid-cols-[4.5rem_1fr] gap-x-4 rounded-card bg-surface p-4 shadow-card hover:bg-raised"
    >
      <p className="text-sm text-muted tabular-nums">
        <strong className="block text-lg text-ink">{game.time}</strong>
        <time dateTime={game.date}>
          {game.weekday}
          <span className="block">{game.day}</span>
        </time>
      </p>
      <div className="grid min-w-0 content-start gap-1">
        <h3 className="truncate text-base">{game.venueName}</h3>
        <p className="text-sm text-muted">
          {game.isFree ? `${game.city} · first session free` : game.city}
        </p>
        <p className="mt-1 flex flex-wrap gap-2">
          <Badge>{game.price}</Badge>
          <Badge tone={game.spots.tone}>{game.spots.text}</Badge>
        </p>
      </div>
    </Link>
  );
}
