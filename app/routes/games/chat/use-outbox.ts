import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { useFetcher } from "react-router";
import { sendQuietly } from "#app/forms/offline-middleware.ts";
import { keptKey, onKept, readKept, writeKept } from "#app/ui/kept.ts";
import {
  changeQueue,
  noQueue,
  type Queued,
  readQueue,
  type Reason,
  resumeSending,
  startSending,
} from "#app/ui/send-queue.ts";
import type { ChatResult } from "./actions.server.ts";
import type { MessageView } from "#app/features/chat/message-view.server.ts";
import type { ChatPage } from "./chat-view.server.ts";
import { addMessage, type Message, type Unsent } from "./outbox.ts";

interface Live {
  messages: MessageView[];
  /** Sent messages arrive by the stream, so the page need not be read again. */
  isLive: () => boolean;
}

export type Outbox = ReturnType<typeof useOutbox>;

/** What was written and is not in the chat yet: kept until it is, even if the tab is closed. */
export function useOutbox({ path, gameId, viewer: { userId: account } }: ChatPage, live: Live) {
  const key = keptKey("chat", gameId, account);
  const sentKey = keptKey("sent", gameId, account);
  const fieldKey = keptKey("field", gameId, account);
  const queued = useSyncExternalStore(onKept, () => readQueue<Message>(key), noQueue);
  const sent = useSyncExternalStore(onKept, () => readSent(sentKey), noQueue);
  useSending({ key, sentKey, path, account }, live);
  const inChat = new Set(live.messages.map(({ id }) => id));
  const unsent = new Map<string, Unsent>([...sent, ...queued].map((each) => [each.id, each]));
  const resume = () => void resumeSending(key);

  return {
    unsent: [...unsent.values()].filter(({ id }) => !inChat.has(id)),
    resume,
    send(text: string) {
      const problem = addMessage(key, text);
      resume();
      return problem;
    },
    /** Kept for the next page of the chat, which sends it. */
    add: (text: string) => addMessage(key, text),
    again({ id, text }: Unsent) {
      changeQueue<Message>(key, (each) => (each.id === id ? { id, text, state: "sending" } : each));
      resume();
    },
    discard({ id }: Unsent) {
      changeQueue(key, (each) => (each.id === id ? null : each));
      resume();
    },
    readDraft: () => readKept<string>(fieldKey) ?? "",
    writeDraft: (text: string) => writeKept(fieldKey, text || null),
  };
}

const readSent = (key: string) => readKept<Unsent[]>(key) ?? noQueue();

type Box = { key: string; sentKey: string; path: string; account: string };

function useSending({ key, sentKey, path, account }: Box, { messages, isLive }: Live): void {
  const { submit } = useFetcher();
  const send = useEffectEvent(async (message: Queued<Message>): Promise<Reason | null> => {
    const { id, text } = message;
    const form = { intent: "send", stay: "1", account, messageId: id, message: text };
    const answers = await sendQuietly(() =>
      submit(form, {
        ...{ method: "post", action: path },
        ...(isLive() && { defaultShouldRevalidate: false }),
      }),
    );
    const result = (answers as (ChatResult | null)[]).find((each) => idOf(each) === id);
    if (!result) return {};
    const { retryAfterSeconds, formError, fieldErrors } = result;
    if (retryAfterSeconds) {
      return { why: TOO_FAST, notBefore: Date.now() + retryAfterSeconds * 1_000 };
    }
    const isQueued = readQueue(key).some((each) => each.id === id);
    // A message that is in the chat already has left the queue.
    if (result.sent && isQueued) {
      writeKept(sentKey, [...readSent(sentKey), { ...message, state: "sent" }]);
    }
    const why = formError ?? Object.values(fieldErrors ?? {})[0];
    changeQueue(key, (each) => {
      if (each.id !== id) return each;
      return result.sent ? null : { ...each, state: "rejected", why };
    });
    return null;
  });
  useEffect(() => startSending<Message>(key, (message) => send(message)), [key]);
  useEffect(() => {
    const arrived = new Set(messages.map(({ id }) => id));
    const withoutArrived = (each: Queued<object>) => (arrived.has(each.id) ? null : each);
    changeQueue(key, withoutArrived);
    changeQueue(sentKey, withoutArrived);
    void resumeSending(key);
  }, [key, sentKey, messages]);
}

const idOf = (result: ChatResult | null) => result?.sent ?? result?.values?.["messageId"];

const TOO_FAST = "You are writing very fast.";
