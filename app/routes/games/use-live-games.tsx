import { useEffect, useEffectEvent, useState } from "react";
import { spotsText } from "#app/features/games/rules.ts";
import { followGames, type LiveGame } from "./live-stream.ts";
import type { Rereading } from "./rereading.ts";

export type Live = Record<string, LiveGame>;

interface Followed {
  /** What the page was loaded with: newer data replaces what was heard before. */
  of: unknown;
  games: ({ id: string } & Partial<LiveGame>)[];
  /** For a page whose data is read again after a change. */
  startRereading?: () => Rereading;
}

const NOTHING: Live = {};

/** The games that have changed since the page was loaded. Without streams: none, ever. */
export function useLiveGames({ of, games, startRereading }: Followed): Live {
  const [heard, setHeard] = useState({ of, by: NOTHING });
  const live = heard.of === of ? heard.by : NOTHING;
  const hear = useEffectEvent((game: LiveGame, isFirst: boolean) => {
    const shown = live[game.id] ?? games.find(({ id }) => id === game.id);
    const isSame = shown?.spots === game.spots && shown.joined === game.joined;
    if (isFirst && (isSame || shown?.spots === undefined)) return false;
    const change = (before: Live) => ({ ...before, [game.id]: game });
    if (!isSame) setHeard(({ of: past, by }) => ({ of, by: change(past === of ? by : NOTHING) }));
    return true;
  });
  const start = useEffectEvent(() => startRereading?.());
  const ids = games.map(({ id }) => id).join();
  // A list that is not read again would miss what changed while it was loaded.
  const since = startRereading ? null : of;
  useEffect(() => {
    if (!ids) return;
    const page = {
      hear: (game: LiveGame, isFirst: boolean) => hear(game, isFirst),
      rereading: start(),
    };
    return followGames(ids.split(","), page);
  }, [ids, since]);
  return live;
}

type LiveSpotsProps = { game: LiveGame | undefined; name?: string };

/** Read out once when the number changes, and not when the page is opened. */
export function LiveSpots({ game, name }: LiveSpotsProps) {
  return (
    <p aria-live="polite" className="sr-only">
      {game && [name, spotsText(game.spots)].filter(Boolean).join(": ")}
    </p>
  );
}
