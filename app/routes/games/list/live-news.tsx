import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { CardView } from "./list-view.server.ts";
import type { Live } from "#app/live/use-live-games.ts";

type Game = Pick<CardView, "id" | "venueName" | "start" | "spots">;

/** Collects changes for this long, and pauses between two messages. */
const PAUSE_MS = 5_000;
const MOST_NAMED = 3;

/** Read out politely: the list's games that have filled up, ended, or opened again. */
export function LiveNews({ games, live }: { games: Game[]; live: Live }) {
  const [text, setText] = useState("");
  const told = useRef(new Map<string, State>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const tell = useEffectEvent(() => {
    timer.current = undefined;
    const changed = listChanged(games, live, told.current);
    for (const { id, state } of changed) told.current.set(id, state);
    if (changed.length > 0) setText(newsText(changed));
  });
  useEffect(() => {
    // A list that was read again has a change already: what was read out stays the measure.
    for (const game of games) {
      if (!told.current.has(game.id)) told.current.set(game.id, stateOf(game));
    }
    const hasNews = listChanged(games, live, told.current).length > 0;
    if (hasNews) timer.current ??= setTimeout(() => tell(), PAUSE_MS);
  }, [games, live]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <p aria-live="polite" className="sr-only">
      {text}
    </p>
  );
}

type State = "full now" | "open again" | "no longer on";
type Changed = Game & { state: State };

const stateOf = (game: { spots: number } | null | undefined): State =>
  game ? (game.spots === 0 ? "full now" : "open again") : "no longer on";

/** Games whose state differs from the one last read out. */
function listChanged(games: Game[], live: Live, told: Map<string, State>): Changed[] {
  return games
    .map((game) => ({ ...game, state: stateOf(game.id in live ? live[game.id] : game) }))
    .filter(({ id, state }) => state !== told.get(id));
}

function newsText(changed: Changed[]): string {
  if (changed.length > MOST_NAMED) {
    return `${changed.length} games are full, open again or no longer on.`;
  }
  return changed
    .map(({ venueName, start, state }) => `${venueName}, ${start}: ${state}.`)
    .join(" ");
}
