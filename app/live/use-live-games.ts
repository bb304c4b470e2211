import { useEffect, useEffectEvent, useState } from "react";
import { type FollowedChat, followGames, type LiveGame } from "./live-stream.ts";
import { type Rereading, useIsReading } from "./rereading.ts";

/** Null for a game that has been cancelled or withdrawn since. */
export type Live = Record<string, LiveGame | null>;

interface Followed {
  /** What the page was loaded with; newer data replaces what was received before it was asked for. */
  of: unknown;
  games: ({ id: string } & Partial<LiveGame>)[];
  /** For a page that reads its data again after a change. */
  startRereading?: () => Rereading;
  /** Reads again after edits alone, and shows the rest by itself: a long list. */
  rereadsEdits?: boolean;
  chat?: FollowedChat | null;
}

const NOTHING: Live = {};
/** Shown at once; for all else the page's data is read again. */
const LIVE_KEYS = ["spots", "joined", "minimum"] as const;

/** The games that have changed since the page was loaded; none without streams. */
export function useLiveGames(followed: Followed): Live {
  const { of, games, startRereading, rereadsEdits, chat } = followed;
  const isReading = useIsReading();
  const [received, setReceived] = useState({ of, by: NOTHING, late: NOTHING });
  // Data that was asked for before a change may come after it, and knows nothing of it.
  if (received.of !== of) setReceived({ of, by: received.late, late: NOTHING });
  const live = received.by;
  const show = (gameId: string, game: LiveGame | null) =>
    setReceived((past) => ({
      of: past.of,
      by: { ...past.by, [gameId]: game },
      late: isReading ? { ...past.late, [gameId]: game } : past.late,
    }));
  const update = useEffectEvent((game: LiveGame, isFirst: boolean) => {
    const loaded = games.find(({ id }) => id === game.id) ?? game;
    const shown = { ...loaded, ...live[game.id] };
    const isNew = (key: keyof LiveGame) => loaded[key] !== undefined && shown[key] !== game[key];
    const isShownNew = live[game.id] === null || LIVE_KEYS.some(isNew);
    if (isShownNew) show(game.id, game);
    return rereadsEdits ? isNew("planVersion") : !isFirst || isShownNew || isNew("revision");
  });
  const lose = useEffectEvent((gameId: string) => {
    // Such pages show what they read again: players and admins still see a cancelled game.
    if (!startRereading || rereadsEdits) show(gameId, null);
    return !rereadsEdits;
  });
  const start = useEffectEvent(() => startRereading?.());
  const followedChat = useEffectEvent(() => chat!);
  const ids = games.map(({ id }) => id).join();
  const chatId = chat?.gameId;
  // A list that is not read again would miss what changed while it was loaded.
  const since = startRereading && !rereadsEdits ? null : of;
  useEffect(() => {
    if (!ids && !chatId) return;
    const page = {
      update: (game: LiveGame, isFirst: boolean) => update(game, isFirst),
      lose: (gameId: string) => lose(gameId),
      rereading: start(),
      chat: chatId ? () => followedChat() : null,
    };
    return followGames(ids.split(","), page);
  }, [ids, since, chatId]);
  return live;
}
