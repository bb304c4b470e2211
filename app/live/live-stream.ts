import type { Rereading } from "./rereading.ts";

export interface LiveGame {
  id: string;
  spots: number;
  joined: number;
  /** Whether it is on; null if nothing depends on its number of players. */
  minimum: string | null;
  /** Changes with whatever is shown of the game or its venue. */
  revision: string;
  /** Changes with every edit of the game or its venue: a list is read again for those alone. */
  planVersion: string;
}

interface LivePage {
  /** Whether to read the page again. `isFirst`: the state at the start, which it may show already. */
  update(game: LiveGame, isFirst: boolean): boolean;
  /** No longer published: cancelled, over or withdrawn. Whether to read the page again. */
  lose(gameId: string): boolean;
  rereading?: Rereading | undefined;
  /** Its messages may be updates too. */
  chat?: (() => FollowedChat) | null;
}

export interface FollowedChat {
  gameId: string;
  lastNumber: number;
  /** Whether the page must be read again after this event. */
  isUpdate(data: string): boolean;
}

/** The soonest. More ids would make an address that proxies reject, at 8 KB. */
export const GAMES_EACH = 200;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 120_000;

/** Follows the games while the page is visible. The returned function stops it. */
export function followGames(gameIds: string[], page: LivePage): () => void {
  const { update, lose, rereading, chat } = page;
  const known = new Set<string>();
  const received = new Map<string, string>();
  const games = `games=${gameIds.slice(0, GAMES_EACH).join()}`;
  const stop = keepStream({
    address() {
      const followed = chat?.();
      return followed ? `${games}&chat=${followed.gameId}&after=${followed.lastNumber}` : games;
    },
    onOpen: () => known.clear(),
    on: {
      game(data) {
        const game = JSON.parse(data) as LiveGame;
        const isAsBefore = [undefined, data].includes(received.get(game.id));
        if (update(game, isAsBefore && !known.has(game.id))) rereading?.soon();
        received.set(game.id, data);
        known.add(game.id);
      },
      gone(data) {
        const { id } = JSON.parse(data) as Pick<LiveGame, "id">;
        received.set(id, "");
        if (lose(id)) rereading?.soon();
      },
      chat: (data) => chat?.().isUpdate(data) && rereading?.soon(),
      pace: (data) => rereading?.pace(Number(data)),
    },
  });
  return () => {
    stop();
    rereading?.stop();
  };
}

interface LiveSource {
  address: () => string;
  /** Also when the browser itself has reopened it. */
  onOpen?: () => void;
  onClose?: () => void;
  on: Record<string, (data: string) => unknown>;
}

/** A stream that is open while the page is visible. The returned function stops it. */
export function keepStream({ address, onOpen, onClose, on }: LiveSource): () => void {
  let source: EventSource | null = null;
  let retry: ReturnType<typeof setTimeout>;
  let pauseMs = FIRST_PAUSE_MS;

  function open() {
    clearTimeout(retry);
    if (source || document.hidden) return;
    source = new EventSource(`/live?${address()}`);
    source.onopen = () => {
      pauseMs = FIRST_PAUSE_MS;
      onOpen?.();
    };
    source.onerror = () => {
      onClose?.();
      // After a rejection the browser does not try again.
      if (source?.readyState !== EventSource.CLOSED) return;
      close();
      retry = setTimeout(open, pauseMs * (0.5 + Math.random()));
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    };
    for (const [name, receive] of Object.entries(on)) {
      source.addEventListener(name, ({ data }) => receive(String(data)));
    }
  }

  function close() {
    clearTimeout(retry);
    source?.close();
    source = null;
    onClose?.();
  }

  const onVisible = () => (document.hidden ? close() : open());
  document.addEventListener("visibilitychange", onVisible);
  // An open stream would keep the page out of the browser's cache for Back.
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  open();
  return () => {
    close();
    document.removeEventListener("visibilitychange", onVisible);
    removeEventListener("pagehide", close);
    removeEventListener("pageshow", open);
  };
}
