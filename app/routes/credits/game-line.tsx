import { HeldUntil } from "./held-until.tsx";
import type { PurchaseGame } from "./purchase-game.server.ts";

type GameLineProps = { game: PurchaseGame; need?: string | null };

/** The game that a payment is for: where, when, and what becomes of its spot. */
export function GameLine({ game, need }: GameLineProps) {
  return (
    <div className="w-full text-left tabular-nums">
      <p translate="no" className="font-bold">
        {game.venue}
      </p>
      <p className="flex flex-wrap justify-between gap-x-3">
        <span>{game.when}</span> {game.spots && <span className="font-semibold">{game.spots}</span>}
      </p>
      {game.held && <HeldUntil {...game.held} />}
      {need && <p className="text-sm text-balance">{need}</p>}
      <p className="text-sm text-balance text-muted">{game.note}</p>
    </div>
  );
}
