import { spotsText, spotsTone } from "#app/features/games/rules.ts";
import { Badge } from "#app/ui/badge.tsx";
import type { VenueGameView } from "./venue-view.ts";

export function GameLine({ game }: { game: VenueGameView }) {
  return (
    <span className="grid min-h-11 grid-cols-[1fr_3rem_7.25rem] items-center gap-2 tabular-nums">
      <time dateTime={`${game.date}T${game.start}`} className="font-semibold">
        {game.monthDay}, {game.start}
      </time>
      <span className="text-sm font-semibold whitespace-nowrap text-muted">{game.price}</span>
      <Badge tone={spotsTone(game.spots)} className="justify-self-end">
        {spotsText(game.spots)}
      </Badge>
    </span>
  );
}
