import { Countdown } from "#app/ui/countdown.tsx";
import type { PurchaseGame } from "./purchase-game.server.ts";

type GameLineProps = { game: PurchaseGame; need?: string | null };

export function GameLine({ game, need }: GameLineProps) {
  return (
    <div className="rounded-card bg-sunken px-4 py-3">
      <p className="font-semibold tabular-nums">
        {game.name}&nbsp;· <span className="whitespace-nowrap">{game.spots}</span>
      </p>
      {need && <p className="text-sm tabular-nums">{need}</p>}
      <p className="flex flex-wrap justify-between gap-x-3 text-sm text-muted">
        <span>{game.note}</span>
        {game.leftSeconds && <Countdown seconds={game.leftSeconds} />}
      </p>
    </div>
  );
}
