import type { PurchaseGame } from "./purchase-game.server.ts";

export function GameLine({ game }: { game: PurchaseGame }) {
  return (
    <div className="rounded-card bg-sunken px-4 py-3">
      <p className="font-semibold tabular-nums">
        {game.name}&nbsp;· <span className="whitespace-nowrap">{game.spots}</span>
      </p>
      <p className="text-sm text-muted">{game.note}</p>
    </div>
  );
}
