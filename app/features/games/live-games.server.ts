import { setImmediate as yieldToOthers } from "node:timers/promises";
import { sql } from "kysely";
import { type Db, isOneOf } from "#app/platform/db.server.ts";
import { createRounds } from "#app/platform/rounds.server.ts";
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
  /** What they have; null that it is gone. */
  sent: string | null;
}

const NONE: ReadonlySet<string> = new Set();

type Channels = Map<string, Channel>;

interface Round {
  changed: Set<string>;
  newcomers: Newcomer[];
  gameIds: Set<string>;
}

interface StoredGame {
  id: string;
  status: GameStatus;
  spots: number;
  joined: number;
  revision: string;
  planVersion: string;
  minPlayers: number | null;
  decidesAt: Date | null;
  decision: GameDecision | null;
  startsAt: Date;
}

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
  const queue = createQueue((gameId) => channels.has(gameId));
  let reading = NONE;
  const rounds = createRounds("live games", { ...queue, most: MOST_IDS, run: publishRound });

  function look(gameId: string) {
    // A game being read for its first watcher has no channel yet.
    if (!channels.has(gameId) && !reading.has(gameId)) return;
    queue.changed.add(gameId);
    rounds.begin();
  }

  async function publishRound(round: Round) {
    reading = round.gameIds;
    await untilReadable();
    const games = await readGames(db, [...round.gameIds], now());
    await publishAll(channels, round, new Map(games.map((game) => publicState(game, now()))));
    reading = NONE;
  }

  return {
    /** Sends the games now and after each change. Returns how to stop. */
    watch(gameIds: string[], watcher: Watcher): () => void {
      const newcomer = { watcher, gameIds, hasLeft: false };
      queue.newcomers.add(newcomer);
      rounds.begin();
      return () => {
        newcomer.hasLeft = true;
        queue.newcomers.delete(newcomer);
        for (const gameId of gameIds) leave(channels, gameId, watcher);
      };
    },
    change(gameId: string) {
      const channel = channels.get(gameId);
      // Sent again though it looks alike: the version before raises no revision for a check-in.
      if (channel?.sent) channel.sent = "";
      look(gameId);
    },
    /** After an outage: sends what differs from what was sent before. */
    catchUp() {
      for (const gameId of channels.keys()) look(gameId);
    },
    close: rounds.close,
  };
}

function leave(channels: Channels, gameId: string, watcher: Watcher): void {
  const channel = channels.get(gameId);
  channel?.watchers.delete(watcher);
  if (channel?.watchers.size === 0) channels.delete(gameId);
}

function createQueue(isWatched: (gameId: string) => boolean) {
  const changed = new Set<string>();
  const newcomers = new Set<Newcomer>();
  let hasChanges = false;

  function takeChanges(round: Round, most: number) {
    for (const gameId of changed) {
      if (round.changed.size >= most) break;
      changed.delete(gameId);
      if (!isWatched(gameId)) continue;
      round.changed.add(gameId);
      round.gameIds.add(gameId);
    }
  }

  function takeNewcomers(round: Round, most: number) {
    for (const newcomer of newcomers) {
      if (round.newcomers.length >= most || round.gameIds.size >= MOST_IDS) break;
      newcomers.delete(newcomer);
      round.newcomers.push(newcomer);
      for (const gameId of newcomer.gameIds) round.gameIds.add(gameId);
    }
  }

  return {
    changed,
    newcomers,
    isEmpty: () => changed.size + newcomers.size === 0,
    take(most: number): Round {
      const round: Round = { changed: new Set(), newcomers: [], gameIds: new Set() };
      // Alternately, so that neither keeps the other waiting.
      hasChanges = changed.size > 0 && (!hasChanges || newcomers.size === 0);
      if (hasChanges) takeChanges(round, most);
      else takeNewcomers(round, most);
      return round;
    },
    sizeOf: (round: Round) => round.changed.size + round.newcomers.length,
    putBack(failed: Round) {
      for (const gameId of failed.changed) changed.add(gameId);
      for (const newcomer of failed.newcomers) if (!newcomer.hasLeft) newcomers.add(newcomer);
    },
  };
}

type States = Map<string, string | null>;

async function publishAll(channels: Channels, round: Round, states: States): Promise<void> {
  for (const gameId of round.gameIds) {
    const channel = channels.get(gameId);
    if (!channel) continue;
    await publish(channel, gameId, states.get(gameId) ?? null);
    if (!states.has(gameId)) channels.delete(gameId);
  }
  for (const [index, newcomer] of round.newcomers.entries()) {
    if (index % 20 === 19) await yieldToOthers();
    if (!newcomer.hasLeft) welcome(channels, newcomer, states);
  }
}

async function publish(channel: Channel, gameId: string, state: string | null) {
  if (state === channel.sent) return;
  channel.sent = state;
  for (const [index, watcher] of [...channel.watchers].entries()) {
    // A long list is sent in parts, with requests served in between.
    if (index % 200 === 199) await yieldToOthers();
    send(watcher, gameId, state);
  }
}

function welcome(channels: Channels, { watcher, gameIds }: Newcomer, states: States): void {
  for (const gameId of gameIds) {
    const sent = states.get(gameId) ?? null;
    send(watcher, gameId, sent);
    if (!states.has(gameId)) continue;
    const channel = channels.get(gameId) ?? { watchers: new Set(), sent };
    channel.watchers.add(watcher);
    channels.set(gameId, channel);
  }
}

function send(watcher: Watcher, gameId: string, state: string | null): void {
  if (state === null) watcher.send("gone", JSON.stringify({ id: gameId }));
  else watcher.send("game", state);
}

/** Another one after each change of what is shown of a game: its own, or an edit of its venue. */
export const REVISION = sql<string>`games.revision || '.' || venues.version`;

/** Another one after each edit of the game or of its venue, by the app or by SQL. */
export const PLAN_VERSION = sql<string>`games.version || '.' || venues.version`;

/** One statement with the same text, however many ids. */
async function readGames(db: Db, gameIds: string[], now: Date): Promise<StoredGame[]> {
  const spots = sql<number>`greatest(max_players - seats_taken - ${heldNow(now)}, 0)`;
  return db
    .selectFrom("games")
    .innerJoin("venues", "venues.id", "venue_id")
    .select(["games.id", "status", "seats_taken as joined", spots.as("spots")])
    .select([REVISION.as("revision"), PLAN_VERSION.as("planVersion")])
    .select("starts_at as startsAt")
    .select(["min_players as minPlayers", "decides_at as decidesAt", "decision"])
    .where(isOneOf("games.id", gameIds))
    .execute();
}

/** What anybody may know; null for nothing. The minimum is text, for browsers get no dates. */
function publicState(game: StoredGame, now: Date): [gameId: string, state: string | null] {
  const { id, status, spots, joined, revision, planVersion } = game;
  if (status !== "Published") return [id, null];
  const minimum = minimumText({ ...game, joinedCount: joined }, now);
  return [id, JSON.stringify({ id, spots, joined, minimum, revision, planVersion })];
}
