import type { IncomingMessage, ServerResponse } from "node:http";
import type pg from "pg";
import { networkOf } from "#app/features/accounts/throttles.server.ts";
import { createLiveGames, type Watcher } from "#app/features/games/live-games.server.ts";
import { clientAddress } from "#app/platform/http.server.ts";
import { isId } from "#app/platform/ids.ts";
import { listenTo } from "#app/platform/postgres/listener.server.ts";
import type { App } from "#app/routes/context.server.ts";

export interface LiveLimits {
  perProcess: number;
  perNetwork: number;
  gamesEach: number;
  /** Bytes that may wait for a slow reader. */
  waitingBytes: number;
}

// Generous to a campus behind one address; a stream takes about 20 KB.
const LIMITS: LiveLimits = {
  perProcess: 10_000,
  perNetwork: 6_000,
  gamesEach: 50,
  waitingBytes: 16 * 1_024,
};

/** Comments keep streams open in proxies, which close what is silent for a minute or half. */
const BEAT_SECONDS = 20;
/** How many pages read their data again in a second, when a game changes that all of them show. */
const PAGES_PER_SECOND = 50;

interface Stream {
  response: ServerResponse;
  network: string;
  paceMs: number;
}

export type LiveStreams = ReturnType<typeof openLiveStreams>;

export function isLiveRequest({ method, url = "" }: IncomingMessage): boolean {
  return method === "GET" && /^\/live(?:\?|$)/.test(url);
}

/**
 * GET /live as server-sent events, beside the router: written to Node's response itself, which says
 * how much of it waits for a slow reader.
 */
export function openLiveStreams(app: App, pool: pg.Pool, limits = LIMITS) {
  const games = createLiveGames(app.db, app.now);
  const listener = listenTo(pool, "live_games", {
    onListening: games.catchUp,
    onPayload: games.change,
  });
  const streams = new Set<Stream>();
  const perNetwork = new Map<string, number>();
  // A part of all streams each second, so that a thousand comments are not written at once.
  const beats = Array.from({ length: BEAT_SECONDS }, () => new Set<Stream>());
  let [second, opened] = [0, 0];
  const beating = setInterval(() => {
    second = (second + 1) % BEAT_SECONDS;
    for (const stream of beats[second]!) write(stream, ":\n\n");
  }, 1_000).unref();

  function write({ response }: Stream, text: string) {
    if (response.destroyed || response.writableEnded) return;
    // Who comes back is sent what is the case then.
    if (response.writableLength > limits.waitingBytes) response.destroy();
    else response.write(text);
  }

  /** Tells a page how long to spread what it reads again, as others come to watch too. */
  function pace(stream: Stream): string {
    const paceMs = paceOf(streams.size);
    if (paceMs === stream.paceMs) return "";
    stream.paceMs = paceMs;
    return `event: pace\ndata: ${paceMs}\n\n`;
  }

  function start(response: ServerResponse, { gameIds, network }: Asked) {
    const stream: Stream = { response, network, paceMs: 0 };
    const beat = beats[(opened += 1) % BEAT_SECONDS]!;
    streams.add(stream);
    beat.add(stream);
    perNetwork.set(network, (perNetwork.get(network) ?? 0) + 1);
    response.writeHead(200, HEADERS);
    write(stream, `retry: ${Math.round(2_000 + Math.random() * 3_000)}\n:\n\n`);
    const send: Watcher["send"] = (event, data) =>
      write(stream, `${pace(stream)}event: ${event}\ndata: ${data}\n\n`);
    const stopWatching = games.watch(gameIds, { send });
    response.once("close", () => {
      stopWatching();
      streams.delete(stream);
      beat.delete(stream);
      const left = perNetwork.get(network)! - 1;
      if (left > 0) perNetwork.set(network, left);
      else perNetwork.delete(network);
    });
  }

  return {
    serve(request: IncomingMessage, response: ServerResponse): void {
      const gameIds = readGameIds(request.url ?? "", limits.gamesEach);
      if (!gameIds) return reject(response, 400, "Which games?");
      const network = networkOf(addressOf(request, app.env.trustProxy));
      const isFull = streams.size >= limits.perProcess;
      if (isFull) return reject(response, 503, "Too many people are watching right now.");
      const isMuch = (perNetwork.get(network) ?? 0) >= limits.perNetwork;
      if (isMuch) return reject(response, 429, "Too many connections from your address.");
      start(response, { gameIds, network });
    },
    /** Ends all streams at once: browsers come back to a process that stays. */
    async close(): Promise<void> {
      clearInterval(beating);
      games.close();
      for (const { response } of streams) response.end();
      await listener.close();
    },
    /** How many are open. */
    count: () => streams.size,
  };
}

interface Asked {
  gameIds: string[];
  network: string;
}

const HEADERS = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-store, no-transform",
  // nginx would collect what belongs to the page now.
  "X-Accel-Buffering": "no",
};

const RETRY_SECONDS = "30";

function reject(response: ServerResponse, status: number, text: string): void {
  response.setHeader("Cache-Control", "no-store");
  response.setHeader("Content-Type", "text/plain; charset=utf-8");
  if (status !== 400) response.setHeader("Retry-After", RETRY_SECONDS);
  response.writeHead(status).end(text);
}

/** What is no id is ignored. Null without any, or with too many. */
function readGameIds(url: string, most: number): string[] | null {
  const { searchParams } = new URL(url, "http://localhost");
  const words = searchParams.getAll("games").join().toLowerCase().split(",");
  const gameIds = [...new Set(words)].filter(isId);
  return gameIds.length === 0 || gameIds.length > most ? null : gameIds;
}

function addressOf({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const forwarded = { "X-Forwarded-For": `${headers["x-forwarded-for"] ?? ""}` };
  const asked = new Request("http://localhost/live", { headers: forwarded });
  return clientAddress(asked, socket.remoteAddress ?? "", trustedProxies);
}

/** In powers of two, so that few streams have to be told. */
function paceOf(watching: number): number {
  const seconds = Math.max(1, watching / PAGES_PER_SECOND);
  return 1_000 * 2 ** Math.ceil(Math.log2(seconds));
}
