import { Countdown } from "#app/ui/countdown.tsx";
import type { PurchaseGame } from "./purchase-game.server.ts";

type GameLineProps = { game: PurchaseGame; need?: string | null; onEnd?: () => void };

export function GameLine({ game, need, onEnd }: GameLineProps) {
  return (
    <div className="rounded-card bg-sunken px-4 py-3 text-left">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <p className="flex-1 basis-40 font-semibold tabular-nums">
          {game.name}&nbsp;· <span className="whitespace-nowrap">{game.spots}</span>
        </p>
        {game.leftSeconds && <Countdown seconds={game.leftSeconds} onEnd={onEnd} />}
      </div>
      {need && <p className="text-sm tabular-nums">{need}</p>}
      <p className="text-sm text-balance text-muted">{game.note}</p>
    </div>
  );
}
