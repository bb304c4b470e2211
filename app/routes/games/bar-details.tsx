import { Suspense } from "react";
import { Link } from "react-router";
import { EntryDetails } from "#app/routes/games/waitlist/lazy-entry.tsx";
import type { BarProps } from "#app/routes/games/waitlist/bar.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { GamePage } from "./game-page.server.ts";

/** What the bar has no room for, below the facts of the game. */
export function BarDetails({ game, result }: BarProps) {
  return (
    <div id="spot" className="contents">
      {game.held && (
        <Notice title={game.held.title} className="tabular-nums">
          {game.held.text}
        </Notice>
      )}
      <div className="grid justify-items-start gap-3 rounded-card bg-surface p-4 shadow-card empty:hidden [body:has(#offer[open]:not(:modal))_&]:hidden">
        {game.isCalledOff ? (
          <AfterCancellation game={game} />
        ) : (
          game.waitlist?.entry && (
            <Suspense>
              <EntryDetails game={game} result={result} />
            </Suspense>
          )
        )}
      </div>
    </div>
  );
}

function AfterCancellation({ game }: { game: GamePage }) {
  return (
    <>
      {game.creditsBack && <p className="tabular-nums">{game.creditsBack}</p>}
      {game.otherGames.length > 0 && <p>You could play here instead:</p>}
      {game.otherGames.map(({ id, name }) => (
        <Link key={id} to={`/events/${id}`} className="link flex min-h-11 items-center">
          {name}
        </Link>
      ))}
    </>
  );
}
