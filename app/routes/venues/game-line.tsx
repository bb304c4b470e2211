import { spotsText, spotsTone } from "#app/features/games/rules.ts";
import { Badge } from "#app/ui/badge.tsx";
import type { VenueGameView } from "./venue-view.ts";

export function GameLine({ game }: { game: VenueGameView }) {
  return (
    <span className="grid min-h-11 grid-cols-[1fr_auto] items-center gap-2 tabular-nums">
      <span>
        <time dateTime={`${game.date}T${game.start}`} className="block font-semibold">
          {game.monthDay}, {game.start}
        </time>
        <span className="block text-sm font-semibold text-muted">{game.price}</span>
      </span>
      <Badge tone={spotsTone(game.spots)} className="justify-self-end">
        {spotsText(game.spots)}
      </Badge>
    </span>
  );
}
