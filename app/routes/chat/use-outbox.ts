import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from "react";
import { useFetcher } from "react-router";
import { sendQuietly } from "#app/forms/offline-middleware.ts";
import type { ChatResult } from "./actions.server.ts";
import type { ChatPage, MessageView } from "./chat-view.server.ts";
import {
  addUnsent,
  changeUnsent,
  noOutbox,
  onOutbox,
  outboxKey,
  readDraft,
  readOutbox,
  type Unsent,
  writeDraft,
} from "./outbox.ts";

interface Live {
  messages: MessageView[];
  /** Sent messages arrive by the stream, so the page need not be read again. */
  isLive: () => boolean;
}

export type Outbox = ReturnType<typeof useOutbox>;

/** Until a failed message is tried again, if nothing says that the connection is back. */
const RETRY_MS = 20_000;

/** What was written and is not in the chat yet: kept until it is, even if the tab is closed. */
export function useOutbox({ path, gameId, viewer }: ChatPage, live: Live) {
  const key = outboxKey(gameId, viewer.userId);
  const kept = useSyncExternalStore(onOutbox, () => readOutbox(key), noOutbox);
  const knownIds = new Set(live.messages.map(({ id }) => id));
  const unsent = kept.filter(({ id }) => !knownIds.has(id));
  const resume = useSending({ key, path, account: viewer.userId }, live);
  useRetries(kept, resume);

  return {
    unsent,
    resume,
    send(text: string) {
      addUnsent(key, text);
      resume();
    },
    /** Kept for the next page of the chat, which sends it. */
    add: (text: string) => addUnsent(key, text),
    again({ id }: Unsent) {
      changeUnsent(key, (each) => (each.id === id ? queued(each) : each));
      resume();
    },
    discard({ id }: Unsent) {
      changeUnsent(key, (each) => (each.id === id ? null : each));
      resume();
    },
    readDraft: () => readDraft(key),
    writeDraft: (text: string) => writeDraft(key, text),
  };
}

/** Sends one message after the other, in the order of writing. Returns what makes it go on. */
type Box = { key: string; path: string; account: string };

function useSending({ key, path, account }: Box, { messages, isLive }: Live): () => void {
  const { submit, data } = useFetcher<ChatResult | null>();
  /** The one on its way: the next goes once its request is over and its result is stored. */
  const current = useRef<{ id: string; isOver: boolean; isSettled: boolean } | null>(null);

  function sendNext() {
    const next = readOutbox(key).find(({ state }) => state === "sending" || state === "failed");
    if (current.current || next?.state !== "sending") return;
    const { id: messageId, text: message } = next;
    const own = { id: messageId, isOver: false, isSettled: false };
    current.current = own;
    const form = { intent: "send", stay: "1", account, messageId, message };
    const post = () =>
      submit(form, {
        ...{ method: "post", action: path },
        ...(isLive() && { defaultShouldRevalidate: false }),
      });
    void sendQuietly(post)
      .catch(() => false)
      .then((isHeard) => {
        own.isOver = true;
        if (!isHeard) failAll(key);
        if (!isHeard || own.isSettled) goOn();
      });
  }

  function goOn() {
    current.current = null;
    sendNext();
  }

  function resume() {
    requeue(key);
    sendNext();
  }
  const resumeNow = useEffectEvent(resume);
  const goOnNow = useEffectEvent(goOn);

  useEffect(() => {
    // An arrived message is dropped, and those behind it go on.
    const arrived = new Set(messages.map(({ id }) => id));
    const waiting = readOutbox(key).find(({ id }) => arrived.has(id));
    if (!waiting) return;
    changeUnsent(key, (each) => (arrived.has(each.id) ? null : each));
    if (waiting.state === "failed") resumeNow();
    const own = current.current;
    if (!own || !arrived.has(own.id)) return;
    // What is in the chat has been sent, also where its result is not heard.
    own.isSettled = true;
    if (own.isOver) goOnNow();
  }, [key, messages]);
  useEffect(() => {
    const id = data?.sent ?? data?.values?.["messageId"];
    const own = current.current;
    if (!id || own?.id !== id) return;
    settle(key, id, data!);
    own.isSettled = true;
    if (!own.isOver) return;
    current.current = null;
    resumeNow();
  }, [key, data]);
  return resume;
}

/** When the page opens, the connection is back, the server takes more, and now and then. */
function useRetries(kept: Unsent[], resume: () => void): void {
  const again = useEffectEvent(resume);
  useEffect(() => {
    const onLine = () => again();
    onLine();
    addEventListener("online", onLine);
    return () => removeEventListener("online", onLine);
  }, []);
  useEffect(() => {
    const failed = kept.filter(({ state }) => state === "failed");
    if (failed.length === 0) return;
    const dueAt = Math.min(...failed.map(({ notBefore = 0 }) => notBefore));
    const waitMs = dueAt ? Math.max(0, dueAt - Date.now()) : RETRY_MS;
    // Offline, the browser's event says so.
    const timer = setTimeout(() => navigator.onLine && again(), waitMs);
    return () => clearTimeout(timer);
  }, [kept]);
}

function requeue(key: string): void {
  const now = Date.now();
  const isDue = ({ state, notBefore = 0 }: Unsent) => state === "failed" && now >= notBefore;
  if (!readOutbox(key).some(isDue)) return;
  changeUnsent(key, (each) => (isDue(each) ? queued(each) : each));
}

const queued = ({ id, text }: Unsent): Unsent => ({ id, text, state: "sending" });

/** Those behind it wait too, so that none overtakes. */
function failAll(key: string): void {
  changeUnsent(key, (each) => (each.state === "sending" ? { ...each, state: "failed" } : each));
}

function settle(key: string, messageId: string, result: ChatResult): void {
  const { sent, retryAfterSeconds, fieldErrors, formError } = result;
  if (retryAfterSeconds) {
    const notBefore = Date.now() + retryAfterSeconds * 1_000;
    const wait = { state: "failed", notBefore, why: TOO_FAST } as const;
    return changeUnsent(key, (each) => (each.state === "sending" ? { ...each, ...wait } : each));
  }
  const why = formError ?? Object.values(fieldErrors ?? {})[0];
  changeUnsent(key, (each) => {
    if (each.id !== messageId) return each;
    return sent ? { ...each, state: "sent" } : { ...each, state: "rejected", why };
  });
}

const TOO_FAST = "You are writing very fast.";
