import type { IncomingMessage, ServerResponse } from "node:http";
import type pg from "pg";
import { createCounts } from "#app/platform/counts.server.ts";
import { listenTo } from "#app/platform/postgres/listener.server.ts";
import { createOpenStreams, type OpenStream } from "./open-streams.server.ts";

export interface LiveLimits {
  perProcess: number;
  perNetwork: number;
  /** Share of the process's; the others are kept for who is signed in. */
  visitors: number;
  /** Further ones of a session count as visitors'. */
  keptPerSession: number;
  /** Bytes that may wait for a slow reader. */
  waitingBytes: number;
}

export interface Topic {
  /** The database notifies of changes on it. */
  channel: string;
  onPayload(payload: string): void;
  catchUp(): void;
  close?(): void;
  /** What a page asks of it in the address; null for nothing. */
  read(query: URLSearchParams, headers: IncomingMessage["headers"]): Follow | "too-many" | null;
}

/** Returns how to stop; null if there is no room. */
export type Follow = (stream: OpenStream, session: string | null) => (() => void) | null;

interface Client {
  /** Counted together. */
  network: string;
  session: string | null;
}

interface StreamsOptions {
  topics: Topic[];
  identify: (request: IncomingMessage) => Promise<Client>;
  limits: LiveLimits;
}

export type LiveStreams = ReturnType<typeof openStreams>;

export function isLiveRequest({ method, url = "" }: IncomingMessage): boolean {
  return method === "GET" && /^\/live(?:\?|$)/.test(url);
}

// GET /live as server-sent events. Not through the router: only Node's own response knows how much
// waits for a slow reader.
export function openStreams(pool: pg.Pool, { topics, identify, limits }: StreamsOptions) {
  const listener = listenTo(pool, {
    onListening: () => topics.forEach((topic) => topic.catchUp()),
    onPayload: Object.fromEntries(topics.map(({ channel, onPayload }) => [channel, onPayload])),
  });
  const streams = createOpenStreams();
  const perNetwork = createCounts();
  const keptPerSession = createCounts();

  /** Finds whose room it takes. The cookie's signature is enough: streams open without database. */
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

  function open(response: ServerResponse, network: string, kept: string | null): OpenStream {
    const stream = streams.open(response, limits.waitingBytes);
    perNetwork.add(network, 1);
    if (kept) keptPerSession.add(kept, 1);
    response.once("close", () => {
      perNetwork.add(network, -1);
      if (kept) keptPerSession.add(kept, -1);
    });
    return stream;
  }

  return {
    async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const { searchParams } = new URL(request.url ?? "", "http://localhost");
      const asked = topics.flatMap((topic) => topic.read(searchParams, request.headers) ?? []);
      const follows = asked.filter((follow) => follow !== "too-many");
      const isValid = follows.length > 0 && follows.length === asked.length;
      if (!isValid) return reject(response, 400, "Which games?");
      const { network, session } = await identify(request);
      if (response.destroyed) return;
      const kept = keptFor(session);
      const rejected = rejection(network, kept);
      if (rejected) return reject(response, ...rejected);
      const stream = open(response, network, kept);
      const stops = follows.flatMap((follow) => follow(stream, session) ?? []);
      // The browser tries again, and gets in once another page is closed.
      if (stops.length === 0) return void response.end();
      response.once("close", () => stops.forEach((stop) => stop()));
    },
    /** Ends all streams at once: browsers reconnect to a process that stays. */
    async close(): Promise<void> {
      for (const topic of topics) topic.close?.();
      streams.close();
      await listener.close();
    },
    count: streams.count,
    countVisitors,
  };
}

const RETRY_SECONDS = "30";

function reject(response: ServerResponse, status: number, text: string): void {
  response.setHeader("Cache-Control", "no-store");
  response.setHeader("Content-Type", "text/plain; charset=utf-8");
  if (status !== 400) response.setHeader("Retry-After", RETRY_SECONDS);
  response.writeHead(status).end(text);
}
