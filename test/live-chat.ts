import type { Server } from "node:http";
import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import type { App } from "#app/routes/context.server.ts";
import type { MessageView } from "#app/features/chat/message-view.server.ts";
import { isLiveRequest, type LiveStreams } from "#app/live/streams.server.ts";
import { openLiveStreams, type TopicLimits } from "#app/routes/live/topics.server.ts";
import { testApp } from "./app.ts";
import { memberOf, say } from "./chat.ts";
import { type TestDatabase, useDatabase } from "./db.ts";
import { aGame, NOW } from "./fixtures.ts";
import { type Following, LIVE_LIMITS, openLive, serveHttp } from "./live.ts";
import { signIn } from "./visit.ts";

/** A game with Bo in it, and processes as far as /live goes, for each test of a file. */
interface LiveChat {
  database: TestDatabase;
  app: App;
  now: Date;
  gameId: string;
  /** Stays in the game whatever happens to others. */
  bo: { userId: string; cookie: string };
  /** A web process that listens. */
  start(options?: { own?: App } & Partial<TopicLimits>): Promise<Process>;
  open(url: string, options?: Opening): Promise<Following>;
  write(body: string, userId?: string): Promise<void>;
  /** Afterwards all streams of its process have been sent what they are to be sent. */
  settle(stream: Following): Promise<void>;
  listeners(): Promise<number[]>;
}

interface Process {
  server: Server;
  live: LiveStreams;
  url: string;
}

interface Opening {
  cookie?: string;
  after?: string;
  /** Follows the game's spots as well. */
  withSpots?: boolean;
  headers?: Record<string, string>;
}

export function useLiveChat(): LiveChat {
  const database = useDatabase();
  const running: Process[] = [];
  const following: Following[] = [];
  const chat: LiveChat = {
    ...{ database, now: NOW, gameId: "", bo: { userId: "", cookie: "" } },
    app: undefined as unknown as App,
    async start({ own = chat.app, ...others } = {}) {
      const limits = { ...LIVE_LIMITS, ...others };
      const live = openLiveStreams(own, database.pool, limits);
      const { server, url } = await serveHttp((request, response) => {
        if (isLiveRequest(request)) void live.serve(request, response);
      });
      running.push({ server, live, url });
      await vi.waitFor(async () => expect(await chat.listeners()).toHaveLength(running.length));
      return { url, live, server };
    },
    async open(url, { cookie = chat.bo.cookie, after = "0", headers = {}, ...other } = {}) {
      const games = other.withSpots ? `games=${chat.gameId}&` : "";
      const query = `${games}chat=${chat.gameId}&after=${after}`;
      const stream = await openLive(url, query, { cookie, ...headers });
      following.push(stream);
      return stream;
    },
    async write(body, userId = chat.bo.userId) {
      const { gameId, now } = chat;
      expect(await say(chat.app.db, { gameId, userId }, { body, now })).toEqual({ ok: true });
    },
    async settle(stream) {
      for (const text of [randomUUID(), randomUUID()]) {
        // Five in ten seconds are enough for anybody.
        chat.now = new Date(chat.now.getTime() + 11_000);
        await chat.write(text);
        await hears(stream, text);
      }
    },
    async listeners() {
      const { rows } = await database.pool.query<{ pid: number }>(LISTENERS);
      return rows.map(({ pid }) => pid);
    },
  };
  beforeAll(() => {
    chat.app = testApp(database, () => chat.now);
  });
  beforeEach(async () => {
    chat.now = NOW;
    chat.gameId = await aGame(chat.app.db, { spots: 20 });
    const { userId } = await memberOf(database, chat.gameId, "Bo");
    chat.bo = { userId, cookie: await signIn(chat.app, userId) };
  });
  afterEach(async () => {
    for (const stream of following.splice(0)) stream.leave();
    for (const { server, live } of running.splice(0)) {
      await live.close();
      server.closeAllConnections();
      server.close();
    }
  });
  return chat;
}

const LISTENERS =
  "select pid from pg_stat_activity where datname = current_database() and query like 'listen %'";

interface ChatEvent {
  messages: MessageView[] | null;
}

export const streamedMessages = (stream: Following) =>
  stream.events("chat").flatMap((event) => (event as ChatEvent).messages ?? [null]);
const textOf = (view: MessageView | null) =>
  view?.gone ?? view?.parts.map(({ text }) => text).join("");
export const textsOf = (stream: Following) => streamedMessages(stream).map(textOf);

export async function hears(stream: Following, text: string): Promise<void> {
  await vi.waitFor(() => expect(textsOf(stream)).toContain(text));
}
