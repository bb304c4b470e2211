import type { Rereading } from "./rereading.ts";

export interface LiveGame {
  id: string;
  spots: number;
  joined: number;
  /** Whether it is on; null where nothing depends on its players. */
  minimum: string | null;
  /** Another one after each change of those who wait. */
  waitlistVersion: number;
}

export interface LivePage {
  /** Whether it is news; `isFirst` is the state at the start, which the page may show already. */
  hear(game: LiveGame, isFirst: boolean): boolean;
  /** Not published any more: cancelled, over or withdrawn. */
  lose(gameId: string): void;
  rereading?: Rereading | undefined;
}

const MAX_GAMES = 50;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 120_000;

/** Follows the games while the page is seen, and once it is seen again. Undone by what it returns. */
export function followGames(gameIds: string[], { hear, lose, rereading }: LivePage): () => void {
  const known = new Set<string>();
  const heard = new Map<string, string>();
  let source: EventSource | null = null;
  let retry: ReturnType<typeof setTimeout>;
  let pauseMs = FIRST_PAUSE_MS;

  function open() {
    clearTimeout(retry);
    if (source || document.hidden) return;
    source = new EventSource(`/live?games=${gameIds.slice(0, MAX_GAMES).join()}`);
    // Also where the browser itself has opened it again.
    source.onopen = () => {
      pauseMs = FIRST_PAUSE_MS;
      known.clear();
    };
    // The browser does not try again where it was rejected.
    source.onerror = () => {
      if (source?.readyState !== EventSource.CLOSED) return;
      close();
      retry = setTimeout(open, pauseMs * (0.5 + Math.random()));
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    };
    source.addEventListener("game", ({ data }) => {
      const game = JSON.parse(String(data)) as LiveGame;
      const isAsBefore = [undefined, data].includes(heard.get(game.id));
      if (hear(game, isAsBefore && !known.has(game.id))) rereading?.soon();
      heard.set(game.id, String(data));
      known.add(game.id);
    });
    source.addEventListener("gone", ({ data }) => {
      const { id } = JSON.parse(String(data)) as Pick<LiveGame, "id">;
      heard.set(id, "");
      lose(id);
      rereading?.soon();
    });
    source.addEventListener("pace", ({ data }) => rereading?.pace(Number(data)));
  }

  function close() {
    clearTimeout(retry);
    source?.close();
    source = null;
  }

  const onVisible = () => (document.hidden ? close() : open());
  document.addEventListener("visibilitychange", onVisible);
  // An open stream would keep the page from being kept for Back.
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  open();
  return () => {
    close();
    rereading?.stop();
    document.removeEventListener("visibilitychange", onVisible);
    removeEventListener("pagehide", close);
    removeEventListener("pageshow", open);
  };
}
