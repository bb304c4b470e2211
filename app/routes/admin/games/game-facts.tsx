import type { AdminGamePage } from "./desk-page.server.ts";

/** What was decided about a game, and how full it is. */
export function GameFacts({ game }: { game: AdminGamePage }) {
  return (
    <div className="grid gap-4 rounded-card bg-surface p-4 shadow-card">
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 md:grid-cols-3">
        {game.facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="font-bold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {game.description && <p className="wrap-anywhere whitespace-pre-line">{game.description}</p>}
    </div>
  );
}
