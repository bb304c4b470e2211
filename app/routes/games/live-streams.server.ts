import type { IncomingMessage, ServerResponse } from "node:http";
import type pg from "pg";
import { networkOf } from "#app/features/accounts/throttles.server.ts";
import { createLiveChats } from "#app/features/chat/live-chats.server.ts";
import { createLiveGames, type Watcher } from "#app/features/games/live-games.server.ts";
import { clientAddress } from "#app/platform/http.server.ts";
import { isId } from "#app/platform/ids.ts";
import { listenTo } from "#app/platform/postgres/listener.server.ts";
import { toMessageView } from "#app/routes/chat/chat-view.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { readSessionCookie } from "#app/routes/cookies.server.ts";

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

/** A hundred messages a second are 40 KB, which a slow phone takes a while for. */
const CHAT_IS_LONGER = 8;

/** Comments keep streams open in proxies, which close what is silent for a minute or half. */
const BEAT_SECONDS = 20;
/** How many pages read their data again in a second, when a game changes that all of them show. */
const PAGES_PER_SECOND = 50;

interface Stream {
  response: ServerResponse;
  network: string;
  paceMs: number;
  /** Bytes that may wait. */
  mayWait: number;
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
  const chats = createLiveChats({ db: app.db, now: app.now, toView: toMessageView });
  const listener = listenTo(pool, {
    onListening() {
      games.catchUp();
      chats.catchUp();
    },
    onPayload: { live_games: games.change, live_chats: chats.change },
  });
  const streams = new Set<Stream>();
  const perNetwork = createCounts();
  // A part of all streams each second, so that a thousand comments are not written at once.
  const beats = Array.from({ length: BEAT_SECONDS }, () => new Set<Stream>());
  let [second, opened] = [0, 0];
  const beating = setInterval(() => {
    second = (second + 1) % BEAT_SECONDS;
    for (const stream of beats[second]!) write(stream, ":\n\n");
  }, 1_000).unref();

  function write({ response, mayWait }: Stream, text: string) {
    if (response.destroyed || response.writableEnded) return;
    // Who comes back is sent what is the case then.
    if (response.writableLength > mayWait) response.destroy();
    else response.write(text);
  }

  /** Tells a page how long to spread what it reads again, as others come to watch too. */
  function pace(stream: Stream): string {
    const paceMs = paceOf(streams.size);
    if (paceMs === stream.paceMs) return "";
    stream.paceMs = paceMs;
    return `event: pace\ndata: ${paceMs}\n\n`;
  }

  const tell = (stream: Stream, event: string, data: string, id = "") =>
    write(stream, `${pace(stream)}event: ${event}\n${id}data: ${data}\n\n`);

  /** Whoever asks: who may not read it is told nothing, and is looked up again each time. */
  async function followChat(stream: Stream, { token, ...chat }: AskedChat & { token: Token }) {
    const session = await token;
    if (!session || !streams.has(stream)) return;
    stream.mayWait = limits.waitingBytes * CHAT_IS_LONGER;
    const send = (data: string, last: number) => tell(stream, "chat", data, `id: ${last}\n`);
    stream.response.once("close", chats.follow({ ...chat, token: session, send }));
  }

  function start(response: ServerResponse, { gameIds, network }: Asked): Stream {
    const stream: Stream = { response, network, paceMs: 0, mayWait: limits.waitingBytes };
    const beat = beats[(opened += 1) % BEAT_SECONDS]!;
    streams.add(stream);
    beat.add(stream);
    perNetwork.add(network, 1);
    response.writeHead(200, HEADERS);
    write(stream, `retry: ${Math.round(2_000 + Math.random() * 3_000)}\n:\n\n`);
    const send: Watcher["send"] = (event, data) => tell(stream, event, data);
    const stopWatching = gameIds.length > 0 ? games.watch(gameIds, { send }) : null;
    response.once("close", () => {
      stopWatching?.();
      streams.delete(stream);
      beat.delete(stream);
      perNetwork.add(network, -1);
    });
    return stream;
  }

  return {
    serve(request: IncomingMessage, response: ServerResponse): void {
      const { gameIds, chat } = readAsked(request);
      const isValid = gameIds.length > 0 ? gameIds.length <= limits.gamesEach : chat !== null;
      if (!isValid) return reject(response, 400, "Which games?");
      const network = networkOf(addressOf(request, app.env.trustProxy));
      const isFull = streams.size >= limits.perProcess;
      if (isFull) return reject(response, 503, "Too many people are watching right now.");
      const isMuch = perNetwork.of(network) >= limits.perNetwork;
      if (isMuch) return reject(response, 429, "Too many connections from your address.");
      const stream = start(response, { gameIds, network });
      if (chat) void followChat(stream, { ...chat, token: sessionOf(app, request) });
    },
    /** Ends all streams at once: browsers come back to a process that stays. */
    async close(): Promise<void> {
      clearInterval(beating);
      games.close();
      chats.close();
      for (const { response } of streams) response.end();
      await listener.close();
    },
    /** How many are open. */
    count: () => streams.size,
  };
}

function createCounts() {
  const counts = new Map<string, number>();
  const of = (name: string) => counts.get(name) ?? 0;
  return {
    of,
    add(name: string, number: 1 | -1) {
      counts.set(name, of(name) + number);
      if (of(name) === 0) counts.delete(name);
    },
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

interface AskedChat {
  gameId: string;
  after: number | null;
}

type Token = Promise<string | null>;

/** What is no id is ignored. */
function readAsked({ url = "", headers }: IncomingMessage) {
  const { searchParams } = new URL(url, "http://localhost");
  const words = searchParams.getAll("games").join().toLowerCase().split(",");
  const gameIds = [...new Set(words)].filter(isId);
  const gameId = searchParams.get("chat")?.toLowerCase() ?? "";
  // Where the browser itself has opened it again, the address is as old as the page.
  const numbers = [searchParams.get("after"), headers["last-event-id"]].flatMap(readNumber);
  const after = numbers.length > 0 ? Math.max(...numbers) : null;
  const chat: AskedChat | null = isId(gameId) ? { gameId, after } : null;
  return { gameIds, chat };
}

const readNumber = (text: unknown) => (/^\d{1,9}$/.test(`${text}`) ? [Number(text)] : []);

/** The session's token; null also where it cannot be read. */
function sessionOf({ env }: App, { headers }: IncomingMessage): Token {
  const asked = new Request("http://localhost/live", { headers: { Cookie: headers.cookie ?? "" } });
  return readSessionCookie(env, asked).catch(() => null);
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
