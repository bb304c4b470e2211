import { setImmediate as yieldToOthers, setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { GameStatus } from "#app/platform/schema.ts";

/** Somebody who follows games, until `watch` is undone. */
export interface Watcher {
  /** `data` is JSON: `{ id, spots, joined }`, or `{ id }` of a game that can be seen no more. */
  send(event: "game" | "gone", data: string): void;
  /** Asked only for games that not everybody may see. */
  findViewer(): Promise<{ userId: string; isAdmin: boolean } | null>;
}

interface Channel {
  watchers: Set<Watcher>;
  /** Those who were told nothing yet. */
  fresh: Set<Watcher>;
  /** What the others were told last; null for nothing. */
  told: string | null;
}

interface LiveGame {
  id: string;
  status: GameStatus;
  spots: number;
  joined: number;
}

const RETRY_MS = 1_000;
const LEAST_PAUSE_MS = 20;
/** Telling everybody takes at most a quarter of the process's time, however fast games change. */
const pauseAfter = (spentMs: number) => Math.max(LEAST_PAUSE_MS, spentMs * 3);

export type LiveGames = ReturnType<typeof createLiveGames>;

/** The changed games are read once for all who watch them; what changes meanwhile is one more read. */
export function createLiveGames(db: Db) {
  const channels = new Map<string, Channel>();
  // Whether it has changed, or is only asked for.
  let due = new Map<string, boolean>();
  let isRunning = false;
  let isClosed = false;

  function need(gameId: string, isChanged: boolean) {
    if (!channels.has(gameId)) return;
    due.set(gameId, isChanged || due.get(gameId) === true);
    if (!isRunning) void run();
  }

  async function run() {
    isRunning = true;
    while (due.size > 0 && !isClosed) {
      const startedAt = performance.now();
      const round = due;
      due = new Map();
      const games = await readGames(db, [...round.keys()]).catch(logFailure);
      if (games) await tellAll(games, round);
      else for (const [gameId, isChanged] of round) due.set(gameId, isChanged || !!due.get(gameId));
      const pauseMs = games ? pauseAfter(performance.now() - startedAt) : RETRY_MS;
      await delay(pauseMs, undefined, { ref: false });
    }
    isRunning = false;
  }

  async function tellAll(games: LiveGame[], round: Map<string, boolean>) {
    const found = new Map(games.map((game) => [game.id, game]));
    for (const [gameId, isChanged] of round) {
      const channel = channels.get(gameId);
      if (channel) await tell(db, channel, { gameId, game: found.get(gameId), isChanged });
    }
  }

  return {
    /** Sends the games as they are, and again after each change. Undone by what it returns. */
    watch(gameIds: string[], watcher: Watcher): () => void {
      for (const gameId of gameIds) {
        const channel = channels.get(gameId) ?? newChannel();
        channels.set(gameId, channel);
        channel.watchers.add(watcher);
        channel.fresh.add(watcher);
        need(gameId, false);
      }
      return () => {
        for (const gameId of gameIds) {
          const channel = channels.get(gameId);
          channel?.fresh.delete(watcher);
          channel?.watchers.delete(watcher);
          if (channel?.watchers.size === 0) channels.delete(gameId);
        }
      };
    },
    change: (gameId: string) => need(gameId, true),
    /** After an outage: sends what differs from what was told before. */
    catchUp() {
      for (const gameId of channels.keys()) need(gameId, false);
    },
    close() {
      isClosed = true;
    },
  };
}

const newChannel = (): Channel => ({ watchers: new Set(), fresh: new Set(), told: null });

function logFailure(error: unknown): null {
  log.warn({ err: error }, "live games not read");
  return null;
}

async function readGames(db: Db, gameIds: string[]): Promise<LiveGame[]> {
  const spots = sql<number>`greatest(max_players - seats_taken - spots_held, 0)`;
  return db
    .selectFrom("games")
    .select(["id", "status", "seats_taken as joined", spots.as("spots")])
    .where("id", "in", gameIds)
    .execute();
}

interface News {
  gameId: string;
  game: LiveGame | undefined;
  isChanged: boolean;
}

/** Drafts never; what is not published only those who were in, and admins. */
async function tell(db: Db, channel: Channel, { gameId, game, isChanged }: News): Promise<void> {
  const isVisible = game !== undefined && game.status !== "Draft";
  const state = isVisible ? `${game.status} ${game.spots} ${game.joined}` : null;
  const isNews = isChanged || state !== channel.told;
  const before =
    channel.told === null ? [] : [...channel.watchers].filter((each) => !channel.fresh.has(each));
  const to = isNews ? [...channel.watchers] : [...channel.fresh];
  channel.told = state;
  channel.fresh.clear();
  const isGone = JSON.stringify({ id: gameId });
  if (!isVisible) return sendAll(before, "gone", isGone);
  const data = JSON.stringify({ id: gameId, spots: game.spots, joined: game.joined });
  if (game.status === "Published") return sendAll(to, "game", data);
  // Sessions are looked up one after another: others do not wait for it.
  void sendToThoseWhoWereIn(db, gameId, { to, before, data, isGone }).catch(logFailure);
}

/** A long list is written in parts, with requests served between them. */
async function sendAll(to: Watcher[], event: "game" | "gone", data: string): Promise<void> {
  for (const [index, watcher] of to.entries()) {
    if (index % 200 === 199) await yieldToOthers();
    watcher.send(event, data);
  }
}

interface Restricted {
  to: Watcher[];
  before: Watcher[];
  data: string;
  isGone: string;
}

async function sendToThoseWhoWereIn(db: Db, gameId: string, news: Restricted): Promise<void> {
  const bookings = db.selectFrom("bookings").select("user_id").where("game_id", "=", gameId);
  const players = new Set((await bookings.execute()).map(({ user_id }) => user_id));
  const before = new Set(news.before);
  for (const watcher of news.to) {
    const viewer = await watcher.findViewer();
    if (viewer && (viewer.isAdmin || players.has(viewer.userId))) watcher.send("game", news.data);
    else if (before.has(watcher)) watcher.send("gone", news.isGone);
  }
}
