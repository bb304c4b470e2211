import type { IncomingMessage, ServerResponse } from "node:http";
import type pg from "pg";
import { networkOf } from "#app/features/accounts/throttles.server.ts";
import { createLiveChats } from "#app/features/chat/live-chats.server.ts";
import { createLiveGames, type Watcher } from "#app/features/games/live-games.server.ts";
import { createCounts } from "#app/platform/counts.server.ts";
import { clientAddress } from "#app/platform/http.server.ts";
import { isId } from "#app/platform/ids.ts";
import { listenTo } from "#app/platform/postgres/listener.server.ts";
import { toMessageView } from "#app/routes/chat/chat-view.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { readSessionCookie } from "#app/routes/cookies.server.ts";
import { GAMES_EACH } from "#app/live/live-stream.ts";
import { createOpenStreams, type OpenStream } from "./open-streams.server.ts";

export interface LiveLimits {
  perProcess: number;
  perNetwork: number;
  /** Of the process's; the others are kept for who is signed in. */
  visitors: number;
  /** Further ones of a session count as visitors'. */
  keptPerSession: number;
  /** Visible pages of one person, over all games. */
  chatsPerSession: number;
  /** Bytes that may wait for a slow reader. */
  waitingBytes: number;
}

// Generous to a campus behind one address; a stream takes about 25 KB.
const LIMITS: LiveLimits = {
  perProcess: 10_000,
  perNetwork: 6_000,
  visitors: 5_000,
  keptPerSession: 20,
  chatsPerSession: 10,
  waitingBytes: 16 * 1_024,
};

/** A hundred messages a second are 40 KB, for which a slow phone takes a while. */
const CHAT_IS_LONGER = 8;

export type LiveStreams = ReturnType<typeof openLiveStreams>;

export function isLiveRequest({ method, url = "" }: IncomingMessage): boolean {
  return method === "GET" && /^\/live(?:\?|$)/.test(url);
}

// GET /live as server-sent events. Not through the router: only Node's own response tells how much
// waits for a slow reader.
export function openLiveStreams(app: App, pool: pg.Pool, limits = LIMITS) {
  const games = createLiveGames(app.db, app.now, app.replica?.untilCurrent);
  const chats = createLiveChats({ db: app.db, env: app.env, now: app.now, toView: toMessageView });
  const listener = listenTo(pool, {
    onListening() {
      games.catchUp();
      chats.catchUp();
    },
    onPayload: { live_games: games.change, live_chats: chats.change },
  });
  const streams = createOpenStreams();
  const perNetwork = createCounts();
  const chatsPerSession = createCounts();
  const keptPerSession = createCounts();

  /** Whose room it takes. The cookie's signature is enough: streams open without the database. */
  function keptFor(session: string | null): string | null {
    return session && keptPerSession.of(session) < limits.keptPerSession ? session : null;
  }

  const countVisitors = () => streams.count() - keptPerSession.total();

  function rejection(network: string, kept: string | null): [number, string] | null {
    const isFull =
      streams.count() >= limits.perProcess || (!kept && countVisitors() >= limits.visitors);
    if (isFull) return [503, "Too many people are watching right now."];
    const isOverLimit = perNetwork.of(network) >= limits.perNetwork;
    return isOverLimit ? [429, "Too many connections from your address."] : null;
  }

  function start(response: ServerResponse, { gameIds, network, kept }: Asked): OpenStream {
    const stream = streams.open(response, limits.waitingBytes);
    const send: Watcher["send"] = (event, data) => stream.tell(event, data);
    const stopWatching = gameIds.length > 0 ? games.watch(gameIds, { send }) : null;
    perNetwork.add(network, 1);
    if (kept) keptPerSession.add(kept, 1);
    response.once("close", () => {
      stopWatching?.();
      perNetwork.add(network, -1);
      if (kept) keptPerSession.add(kept, -1);
    });
    return stream;
  }

  /** For anyone who asks: those who may not read get nothing, and are looked up again each time. */
  function followChat(stream: OpenStream, { session, hasGames, ...chat }: FollowedChat) {
    if (chatsPerSession.of(session) >= limits.chatsPerSession) {
      // The browser tries again, and gets in once another page is closed. Spots go on without it.
      if (!hasGames) stream.response.end();
      return;
    }
    chatsPerSession.add(session, 1);
    stream.mayWait = limits.waitingBytes * CHAT_IS_LONGER;
    const send = (data: string, last: number) => stream.tell("chat", data, `id: ${last}\n`);
    const unfollow = chats.follow({ ...chat, token: session, send });
    stream.response.once("close", () => {
      unfollow();
      chatsPerSession.add(session, -1);
    });
  }

  return {
    async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const { gameIds, chat } = readAsked(request);
      const isValid = gameIds.length > 0 ? gameIds.length <= GAMES_EACH : chat !== null;
      if (!isValid) return reject(response, 400, "Which games?");
      const network = networkOf(addressOf(request, app.env.trustProxy));
      const session = await sessionOf(app, request);
      if (response.destroyed) return;
      const kept = keptFor(session);
      const rejected = rejection(network, kept);
      if (rejected) return reject(response, ...rejected);
      const stream = start(response, { gameIds, network, kept });
      if (chat && session) followChat(stream, { ...chat, session, hasGames: gameIds.length > 0 });
    },
    /** Ends all streams at once: browsers reconnect to a process that stays. */
    async close(): Promise<void> {
      games.close();
      streams.close();
      await listener.close();
    },
    count: streams.count,
    countVisitors,
  };
}

interface Asked {
  gameIds: string[];
  network: string;
  /** The session whose room it takes. */
  kept: string | null;
}

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

interface FollowedChat extends AskedChat {
  session: string;
  hasGames: boolean;
}

/** Ignores what is no id. */
function readAsked({ url = "", headers }: IncomingMessage) {
  const { searchParams } = new URL(url, "http://localhost");
  const words = searchParams.getAll("games").join().toLowerCase().split(",");
  const gameIds = [...new Set(words)].filter(isId);
  const gameId = searchParams.get("chat")?.toLowerCase() ?? "";
  // When the browser reopens the stream, the address is as old as the page.
  const numbers = [searchParams.get("after"), headers["last-event-id"]].flatMap(readNumber);
  const after = numbers.length > 0 ? Math.max(...numbers) : null;
  const chat: AskedChat | null = isId(gameId) ? { gameId, after } : null;
  return { gameIds, chat };
}

const readNumber = (text: unknown) => (/^\d{1,9}$/.test(`${text}`) ? [Number(text)] : []);

/** Null without a session, or if it cannot be read. */
function sessionOf({ env }: App, { headers }: IncomingMessage): Promise<string | null> {
  const asked = new Request("http://localhost/live", { headers: { Cookie: headers.cookie ?? "" } });
  return readSessionCookie(env, asked).catch(() => null);
}

function addressOf({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const forwardedFor = `${headers["x-forwarded-for"] ?? ""}`;
  return clientAddress(forwardedFor, socket.remoteAddress ?? "", trustedProxies);
}
