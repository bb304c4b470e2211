import { setImmediate as yieldToOthers, setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import type { Db } from "#app/platform/db.server.ts";
import { log } from "#app/platform/log.server.ts";
import type { GameDecision, GameStatus } from "#app/platform/schema.ts";
import { heldNow } from "./held-spots.server.ts";
import { minimumText } from "./minimum-rules.ts";

export interface Watcher {
  /** `data` is JSON: a `LiveGame`, or only `{ id }` of anything that is no published game. */
  send(event: "game" | "gone", data: string): void;
}

interface Newcomer {
  watcher: Watcher;
  gameIds: string[];
  hasLeft: boolean;
}

interface Channel {
  watchers: Set<Watcher>;
  /** What they were told last; null that it is gone. */
  told: string | null;
}

const NONE: ReadonlySet<string> = new Set();

type Channels = Map<string, Channel>;

interface Round {
  due: Map<string, boolean>;
  newcomers: Newcomer[];
  gameIds: Set<string>;
}

interface StoredGame {
  id: string;
  status: GameStatus;
  spots: number;
  joined: number;
  waitlistVersion: number;
  planVersion: string;
  minPlayers: number | null;
  decidesAt: Date | null;
  decision: GameDecision | null;
  startsAt: Date;
}

const RETRY_MS = 1_000;
const LEAST_PAUSE_MS = 20;
/** Telling everybody takes at most a quarter of the process's time, however fast games change. */
const pauseAfter = (spentMs: number) => Math.max(LEAST_PAUSE_MS, spentMs * 3);
/** In one round, so that a change does not wait long, whatever people ask for. */
const MOST_IDS = 1_000;

export type LiveGames = ReturnType<typeof createLiveGames>;

/** Changed games are read once for all who watch them; later changes cost one more read. */
export function createLiveGames(
  db: Db,
  now: () => Date,
  /** Resolves once pages that are reloaded because of a change will see it. */
  untilReadable: () => Promise<void> = async () => {},
) {
  // Only of games that exist, whatever ids people ask for.
  const channels: Channels = new Map();
  const queue = createQueue();
  let reading = NONE;
  let isRunning = false;
  let isClosed = false;

  function need(gameId: string, isChanged: boolean) {
    // A game being read for its first watcher has no channel yet.
    if (!channels.has(gameId) && !reading.has(gameId)) return;
    queue.add(gameId, isChanged);
    if (!isRunning) void run();
  }

  async function run() {
    isRunning = true;
    while (!queue.isEmpty() && !isClosed) {
      const startedAt = performance.now();
      const round = queue.take((gameId) => channels.has(gameId));
      const isDone = await tellRound(round).catch(logFailure);
      if (isDone) queue.grow();
      else queue.putBack(round);
      const pauseMs = isDone ? pauseAfter(performance.now() - startedAt) : RETRY_MS;
      await delay(pauseMs, undefined, { ref: false });
    }
    isRunning = false;
  }

  async function tellRound(round: Round) {
    reading = round.gameIds;
    await untilReadable();
    const games = await readGames(db, [...round.gameIds], now());
    await tellAll(channels, round, new Map(games.map((game) => stateOf(game, now()))));
    reading = NONE;
    return true;
  }

  return {
    /** Sends the games now and after each change. Returns how to stop. */
    watch(gameIds: string[], watcher: Watcher): () => void {
      const newcomer = { watcher, gameIds, hasLeft: false };
      queue.newcomers.add(newcomer);
      if (!isRunning) void run();
      return () => {
        newcomer.hasLeft = true;
        queue.newcomers.delete(newcomer);
        for (const gameId of gameIds) leave(channels, gameId, watcher);
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

function leave(channels: Channels, gameId: string, watcher: Watcher): void {
  const channel = channels.get(gameId);
  channel?.watchers.delete(watcher);
  if (channel?.watchers.size === 0) channels.delete(gameId);
}

function createQueue() {
  const due = new Map<string, boolean>();
  const newcomers = new Set<Newcomer>();
  let most = MOST_IDS;
  let hasChanges = false;
  const add = (gameId: string, isChanged: boolean) =>
    void due.set(gameId, isChanged || due.get(gameId) === true);

  function takeChanges(round: Round, isWatched: (gameId: string) => boolean) {
    for (const [gameId, isChanged] of due) {
      if (round.due.size >= most) break;
      due.delete(gameId);
      if (!isWatched(gameId)) continue;
      round.due.set(gameId, isChanged);
      round.gameIds.add(gameId);
    }
  }

  function takeNewcomers(round: Round) {
    for (const newcomer of newcomers) {
      if (round.newcomers.length >= most || round.gameIds.size >= MOST_IDS) break;
      newcomers.delete(newcomer);
      round.newcomers.push(newcomer);
      for (const gameId of newcomer.gameIds) round.gameIds.add(gameId);
    }
  }

  return {
    add,
    newcomers,
    isEmpty: () => due.size + newcomers.size === 0,
    take(isWatched: (gameId: string) => boolean): Round {
      const round: Round = { due: new Map(), newcomers: [], gameIds: new Set() };
      // In turns, so that neither keeps the other waiting.
      hasChanges = due.size > 0 && (!hasChanges || newcomers.size === 0);
      if (hasChanges) takeChanges(round, isWatched);
      else takeNewcomers(round);
      return round;
    },
    grow: () => void (most = Math.min(MOST_IDS, most * 2)),
    /** Goes behind the others, in halves: what fails again and again then only delays itself. */
    putBack(failed: Round) {
      most = Math.max(1, Math.floor((failed.due.size + failed.newcomers.length) / 2));
      for (const [gameId, isChanged] of failed.due) add(gameId, isChanged);
      for (const newcomer of failed.newcomers) if (!newcomer.hasLeft) newcomers.add(newcomer);
    },
  };
}

type States = Map<string, string | null>;

async function tellAll(channels: Channels, round: Round, states: States): Promise<void> {
  for (const gameId of round.gameIds) {
    const channel = channels.get(gameId);
    if (!channel) continue;
    await tell(channel, gameId, states.get(gameId) ?? null, round.due.get(gameId) === true);
    if (!states.has(gameId)) channels.delete(gameId);
  }
  for (const [index, newcomer] of round.newcomers.entries()) {
    if (index % 20 === 19) await yieldToOthers();
    if (!newcomer.hasLeft) welcome(channels, newcomer, states);
  }
}

/** A change that keeps the numbers is told too: players may have changed places. */
async function tell(channel: Channel, gameId: string, state: string | null, isChanged: boolean) {
  const isNews = state !== channel.told || (isChanged && state !== null);
  channel.told = state;
  if (!isNews) return;
  for (const [index, watcher] of [...channel.watchers].entries()) {
    // A long list is sent in parts, with requests served in between.
    if (index % 200 === 199) await yieldToOthers();
    send(watcher, gameId, state);
  }
}

function welcome(channels: Channels, { watcher, gameIds }: Newcomer, states: States): void {
  for (const gameId of gameIds) {
    const told = states.get(gameId) ?? null;
    send(watcher, gameId, told);
    if (!states.has(gameId)) continue;
    const channel = channels.get(gameId) ?? { watchers: new Set(), told };
    channel.watchers.add(watcher);
    channels.set(gameId, channel);
  }
}

function send(watcher: Watcher, gameId: string, state: string | null): void {
  if (state === null) watcher.send("gone", JSON.stringify({ id: gameId }));
  else watcher.send("game", state);
}

function logFailure(error: unknown): false {
  log.warn({ err: error }, "live games not read");
  return false;
}

/** Another one after each edit of the game or of its venue, by the app or by SQL. */
export const PLAN_VERSION = sql<string>`games.version || '.' || venues.version`;

/** One statement with the same text, however many ids. */
async function readGames(db: Db, gameIds: string[], now: Date): Promise<StoredGame[]> {
  const spots = sql<number>`greatest(max_players - seats_taken - ${heldNow(now)}, 0)`;
  return db
    .selectFrom("games")
    .innerJoin("venues", "venues.id", "venue_id")
    .select(["games.id", "status", "seats_taken as joined", spots.as("spots")])
    .select(["waitlist_version as waitlistVersion", PLAN_VERSION.as("planVersion")])
    .select("starts_at as startsAt")
    .select(["min_players as minPlayers", "decides_at as decidesAt", "decision"])
    .where(sql<boolean>`games.id = any(${gameIds}::uuid[])`)
    .execute();
}

/** What anybody may know; null for nothing. The minimum is text, for browsers get no dates. */
function stateOf(game: StoredGame, now: Date): [gameId: string, state: string | null] {
  const { id, status, spots, joined, waitlistVersion, planVersion } = game;
  if (status !== "Published") return [id, null];
  const minimum = minimumText({ ...game, joinedCount: joined }, now);
  return [id, JSON.stringify({ id, spots, joined, minimum, waitlistVersion, planVersion })];
}
