import { setImmediate as yieldToOthers } from "node:timers/promises";
import { listSignedIn, missingFactor } from "#app/features/accounts/sessions.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { createRounds } from "#app/platform/rounds.server.ts";
import {
  type ChatMessage,
  type ChatUpdates,
  listChatFacts,
  listUpdates,
} from "./messages.server.ts";
import { chatAccess } from "./rules.ts";

interface ChatReader {
  gameId: string;
  /** The session's, wanted each time whether it may read. */
  token: string;
  /** The last message that its page has; null if it needs only messages from now on. */
  after: number | null;
  /** `data` is JSON: `{ messages }`, null if there are too many. */
  send(data: string, lastNumber: number): void;
}

interface Reader {
  reader: ChatReader;
  sentUpTo: number | null;
  /** The first number whose removal it may have missed. */
  removedFrom: number;
}

interface Options {
  db: Db;
  env: { adminTwoFactor: "optional" | "required" };
  now: () => Date;
  toView: (message: ChatMessage, now: Date) => unknown;
}

const MOST_CHATS = 1_000;
/** Beyond this a page reads itself again: what many streams do not read stays in memory. */
const MOST_MISSED = 300;
const MOST_BYTES = 128 * 1_024;
const NONE = Infinity;

/** Updates are read once for all who follow the chat; then it is checked who of them may read. */
export function createLiveChats(options: Options) {
  const chats = new Map<string, Set<Reader>>();
  const changed = new Map<string, number>();
  const rounds = createRounds<[gameId: string, removed: number][]>("live chats", {
    most: MOST_CHATS,
    isEmpty: () => changed.size === 0,
    take(most) {
      const round = [...changed].slice(0, most);
      for (const [gameId] of round) changed.delete(gameId);
      return round;
    },
    sizeOf: (round) => round.length,
    async run(round) {
      for (const [gameId, removed] of round) {
        for (const each of chats.get(gameId) ?? [])
          each.removedFrom = Math.min(each.removedFrom, removed);
      }
      await publish(
        options,
        round.flatMap(([gameId]) => [...(chats.get(gameId) ?? [])]),
      );
    },
    putBack(round) {
      for (const [gameId, removed] of round) add(gameId, removed);
    },
  });

  function add(gameId: string, removed = NONE) {
    if (!chats.has(gameId)) return;
    changed.set(gameId, Math.min(removed, changed.get(gameId) ?? NONE));
    rounds.begin();
  }

  return {
    /** Sends what comes after `after`, and what was removed shortly before. Returns how to stop. */
    follow(reader: ChatReader): () => void {
      const { gameId, after } = reader;
      const removedFrom = after === null ? NONE : after + 1 - MOST_MISSED;
      const each = { reader, sentUpTo: after, removedFrom };
      const readers = chats.get(gameId) ?? new Set();
      chats.set(gameId, readers.add(each));
      add(gameId);
      return () => {
        readers.delete(each);
        if (readers.size === 0 && chats.get(gameId) === readers) chats.delete(gameId);
      };
    },
    /** `payload` is the chat, and the number of what was removed. */
    change(payload: string) {
      const [gameId = "", removed] = payload.split(" ");
      add(gameId, removed ? Number(removed) : NONE);
    },
    catchUp() {
      for (const [gameId, readers] of chats) {
        const sentUpTo = [...readers].map((each) => each.sentUpTo ?? NONE);
        add(gameId, Math.min(...sentUpTo) + 1 - MOST_MISSED);
      }
    },
  };
}

interface Delivery {
  each: Reader;
  lastNumber: number;
  missed: ChatMessage[] | null;
}

async function publish({ db, env, now, toView }: Options, readers: Reader[]): Promise<void> {
  const updates = await listUpdates(db, rangesOf(readers), MOST_MISSED);
  const deliveries = readers.flatMap((each) => missedBy(each, updates) ?? []);
  // After the messages: anybody who was removed since then gets none of them.
  const allowed = await listAllowed({ db, env, now: now() }, deliveries);
  const views = new Map<string, string>();
  for (const [index, { each, lastNumber, missed }] of deliveries.entries()) {
    if (index % 200 === 199) await yieldToOthers();
    const key = `${each.reader.gameId} ${each.sentUpTo} ${each.removedFrom}`;
    Object.assign(each, { sentUpTo: lastNumber, removedFrom: NONE });
    const isUpdate = missed === null || missed.length > 0;
    if (!isUpdate || !allowed.has(each)) continue;
    const view = views.get(key) ?? toJson(missed);
    views.set(key, view);
    each.reader.send(view, lastNumber);
  }

  function toJson(missed: ChatMessage[] | null): string {
    const messages = missed?.map((message) => toView(message, now())) ?? null;
    const json = JSON.stringify({ messages });
    return Buffer.byteLength(json) > MOST_BYTES ? JSON.stringify({ messages: null }) : json;
  }
}

const MOST_NUMBER = 2 ** 31 - 1;

function rangesOf(readers: Reader[]) {
  const wanted = new Map<string, { gameId: string; after: number; removedAfter: number }>();
  for (const { reader, sentUpTo, removedFrom } of readers) {
    const { gameId } = reader;
    const most = { gameId, after: MOST_NUMBER, removedAfter: MOST_NUMBER };
    const { after, removedAfter } = wanted.get(gameId) ?? most;
    wanted.set(gameId, {
      gameId,
      after: Math.min(after, sentUpTo ?? MOST_NUMBER),
      removedAfter: Math.max(0, Math.min(removedAfter, removedFrom - 1)),
    });
  }
  return [...wanted.values()];
}

function missedBy(each: Reader, updates: Map<string, ChatUpdates>): Delivery | null {
  const chat = updates.get(each.reader.gameId);
  if (!chat) return null;
  const { lastNumber, messages, isCut } = chat;
  const sentUpTo = each.sentUpTo ?? lastNumber;
  const isMissed = ({ number, removedBy }: ChatMessage) =>
    number > sentUpTo || (removedBy !== null && number >= each.removedFrom);
  const isTooMany = lastNumber - sentUpTo > MOST_MISSED || (isCut && each.removedFrom !== NONE);
  return { each, lastNumber, missed: isTooMany ? null : messages.filter(isMissed) };
}

/** Finds who of them may read now: one look at all sessions, and one at all bookings. */
async function listAllowed(
  { db, env, now }: Pick<Options, "db" | "env"> & { now: Date },
  deliveries: Delivery[],
): Promise<Set<Reader>> {
  const waiting = deliveries.filter(({ missed }) => missed === null || missed.length > 0);
  const allowed = new Set<Reader>();
  if (waiting.length === 0) return allowed;
  const tokens = waiting.map(({ each }) => each.reader.token);
  const signedIn = await listSignedIn(db, tokens, now);
  const wanted = waiting.flatMap(({ each }) => {
    const viewer = signedIn.get(each.reader.token);
    if (!viewer || (viewer.isAdmin && missingFactor(viewer, env))) return [];
    return { each, gameId: each.reader.gameId, userId: viewer.userId };
  });
  const facts = await listChatFacts(db, wanted);
  const may = new Set(
    facts
      .filter((each) => chatAccess(each, now).may !== "none")
      .map(({ gameId, userId }) => `${gameId} ${userId}`),
  );
  for (const { each, gameId, userId } of wanted)
    if (may.has(`${gameId} ${userId}`)) allowed.add(each);
  return allowed;
}
