import type { IncomingMessage } from "node:http";
import type pg from "pg";
import { networkOf } from "#app/features/accounts/throttles.server.ts";
import { createLiveChats } from "#app/features/chat/live-chats.server.ts";
import { createLiveGames } from "#app/features/games/live-games.server.ts";
import { GAMES_EACH } from "#app/live/live-stream.ts";
import { type LiveLimits, openStreams, type Topic } from "#app/live/streams.server.ts";
import { createCounts } from "#app/platform/counts.server.ts";
import { clientAddress } from "#app/platform/http.server.ts";
import { isId } from "#app/platform/ids.ts";
import { toMessageView } from "#app/features/chat/message-view.server.ts";
import type { App } from "#app/routes/context.server.ts";
import { readSessionCookie } from "#app/routes/cookies.server.ts";

export interface TopicLimits extends LiveLimits {
  /** Visible pages of one person, over all games. */
  chatsPerSession: number;
}

// Generous to a campus behind one address; a stream takes about 25 KB.
const LIMITS: TopicLimits = {
  perProcess: 10_000,
  perNetwork: 6_000,
  visitors: 5_000,
  keptPerSession: 20,
  chatsPerSession: 10,
  waitingBytes: 16 * 1_024,
};

/** A hundred messages a second are 40 KB, for which a slow phone takes a while. */
const CHAT_IS_LONGER = 8;

export function openLiveStreams(app: App, pool: pg.Pool, limits = LIMITS) {
  return openStreams(pool, {
    topics: [gamesTopic(app), chatTopic(app, limits)],
    identify: async (request) => ({
      network: networkOf(addressOf(request, app.env.trustProxy)),
      session: await sessionOf(app, request),
    }),
    limits,
  });
}

/** `games=ID,ID`; ignores what is no id. */
function gamesTopic(app: App): Topic {
  const games = createLiveGames(app.db, app.now, app.replica?.untilCurrent);
  return {
    ...{ channel: "live_games", onPayload: games.change },
    ...{ catchUp: games.catchUp, close: games.close },
    read(query) {
      const words = query.getAll("games").join().toLowerCase().split(",");
      const gameIds = [...new Set(words)].filter(isId);
      if (gameIds.length === 0) return null;
      return gameIds.length > GAMES_EACH
        ? "too-many"
        : ({ send }) => games.watch(gameIds, { send });
    },
  };
}

/**
 * `chat=ID`, and `after` its last message that the page shows. For anyone who asks: those who may
 * not read get nothing, and are looked up again each time.
 */
function chatTopic({ db, env, now }: App, limits: TopicLimits): Topic {
  const chats = createLiveChats({ db, env, now, toView: toMessageView });
  const perSession = createCounts();
  return {
    ...{ channel: "live_chats", onPayload: chats.change, catchUp: chats.catchUp },
    read(query, headers) {
      const gameId = query.get("chat")?.toLowerCase() ?? "";
      if (!isId(gameId)) return null;
      // When the browser reopens the stream, the address is as old as the page.
      const numbers = [query.get("after"), headers["last-event-id"]].flatMap(readNumber);
      const after = numbers.length > 0 ? Math.max(...numbers) : null;
      return (stream, token) => {
        if (!token) return () => {};
        if (perSession.of(token) >= limits.chatsPerSession) return null;
        perSession.add(token, 1);
        stream.mayWait = limits.waitingBytes * CHAT_IS_LONGER;
        const send = (data: string, last: number) => stream.send("chat", data, `id: ${last}\n`);
        const unfollow = chats.follow({ gameId, after, token, send });
        return () => {
          unfollow();
          perSession.add(token, -1);
        };
      };
    },
  };
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
