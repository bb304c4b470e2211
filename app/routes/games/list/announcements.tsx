import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { CardView } from "#app/routes/game-card/list-view.server.ts";
import type { Live } from "#app/live/use-live-games.ts";

type Game = Pick<CardView, "id" | "venueName" | "start" | "spots"> & { date: string };

/** Collects changes for this long, and pauses between two messages. */
const PAUSE_MS = 5_000;
const MOST_NAMED = 3;

/** Read out politely: the list's games that have filled up, ended, opened again, or moved. */
export function Announcements({ games, live }: { games: Game[]; live: Live }) {
  const [text, setText] = useState("");
  const announced = useRef(new Map<string, Announced>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const announce = useEffectEvent(() => {
    timer.current = undefined;
    const changed = listChanged(games, live, announced.current);
    for (const game of changed) announced.current.set(game.id, game.now);
    if (changed.length > 0) setText(announcementText(changed));
  });
  useEffect(() => {
    // A list that was read again has a change already: what was read out stays the measure.
    for (const game of games) {
      if (!announced.current.has(game.id)) announced.current.set(game.id, announcedOf(game, game));
    }
    const hasChanged = listChanged(games, live, announced.current).length > 0;
    if (hasChanged) timer.current ??= setTimeout(() => announce(), PAUSE_MS);
  }, [games, live]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <p aria-live="polite" className="sr-only">
      {text}
    </p>
  );
}

type Availability = "full now" | "open again" | "no longer on";
interface Announced {
  availability: Availability;
  when: string;
}
type Changed = Game & { now: Announced; state: Availability | "moved" };

const availabilityOf = (game: { spots: number } | null | undefined): Availability =>
  game ? (game.spots === 0 ? "full now" : "open again") : "no longer on";

const announcedOf = ({ date, start }: Game, now: { spots: number } | null | undefined) => ({
  availability: availabilityOf(now),
  when: `${date} ${start}`,
});

function listChanged(games: Game[], live: Live, announced: Map<string, Announced>): Changed[] {
  return games.flatMap((game): Changed[] => {
    const now = announcedOf(game, game.id in live ? live[game.id] : game);
    const before = announced.get(game.id);
    const isOther = now.availability !== before?.availability;
    if (!isOther && now.when === before.when) return [];
    return [{ ...game, now, state: isOther ? now.availability : "moved" }];
  });
}

function announcementText(changed: Changed[]): string {
  if (changed.length > MOST_NAMED) {
    return `${changed.length} games are full, open again, moved or no longer on.`;
  }
  return changed
    .map(({ venueName, start, state }) => `${venueName}, ${start}: ${state}.`)
    .join(" ");
}
