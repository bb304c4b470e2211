import type { PurchaseGame } from "./purchase-game.server.ts";

type GameLineProps = { game: PurchaseGame; need?: string | null };

export function GameLine({ game, need }: GameLineProps) {
  return (
    <div className="rounded-card bg-sunken px-4 py-3">
      <p className="font-semibold tabular-nums">
        {game.name}&nbsp;· <span className="whitespace-nowrap">{game.spots}</span>
      </p>
      {need && <p className="text-sm tabular-nums">{need}</p>}
      <p className="text-sm text-muted">{game.note}</p>
    </div>
  );
}
