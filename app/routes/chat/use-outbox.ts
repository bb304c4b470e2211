import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useFetcher } from "react-router";
import { sendQuietly } from "#app/routes/offline-middleware.ts";
import type { ChatResult } from "./actions.server.ts";
import type { ChatPage, MessageView } from "./chat-view.server.ts";
import {
  changeUnsent,
  forgetUnsent,
  noOutbox,
  onOutbox,
  outboxKey,
  readOutbox,
  type Unsent,
  writeOutbox,
} from "./outbox.ts";

interface Live {
  messages: MessageView[];
  /** What is sent comes by itself: the page need not be read again. */
  isLive: () => boolean;
}

export type Outbox = ReturnType<typeof useOutbox>;

/** Sends one message after the other, and keeps each until it is in the chat, also over a reload. */
export function useOutbox({ path, gameId, viewer }: ChatPage, { messages, isLive }: Live) {
  const { submit, data } = useFetcher<ChatResult | null>();
  const key = outboxKey(gameId, viewer.userId);
  const kept = useSyncExternalStore(onOutbox, () => readOutbox(key), noOutbox);
  const knownIds = new Set(messages.map(({ id }) => id));
  const unsent = kept.filter(({ id }) => !knownIds.has(id));
  const [seen, setSeen] = useState<ChatResult | null | undefined>(null);
  const queue = useRef(Promise.resolve());

  // What has arrived is kept no longer.
  useEffect(() => {
    for (const { id } of messages) forgetUnsent(key, id);
  }, [key, messages]);
  useEffect(() => settle(key, data), [key, data]);

  function deliver({ id: messageId, text: message }: Unsent) {
    const form = { intent: "send", stay: "1", messageId, message };
    const post = () =>
      submit(form, {
        ...{ method: "post", action: path },
        ...(isLive() && { defaultShouldRevalidate: false }),
      });
    queue.current = queue.current
      .then(() => sendQuietly(post))
      .catch(() => false)
      .then((isHeard) => {
        if (!isHeard) changeUnsent(key, messageId, (each) => ({ ...each, state: "failed" }));
      });
  }

  return {
    unsent,
    /** What was wrong with the last one, which is in the field again. */
    rejected: data?.fieldErrors && data !== seen ? data : null,
    send(text: string) {
      setSeen(data);
      const message: Unsent = { id: crypto.randomUUID(), text, state: "sending" };
      writeOutbox(key, [...readOutbox(key), message]);
      deliver(message);
    },
    again(message: Unsent) {
      changeUnsent(key, message.id, ({ id, text }) => ({ id, text, state: "sending" }));
      deliver(message);
    },
  };
}

function settle(key: string, result: ChatResult | null | undefined): void {
  if (result?.sent) return changeUnsent(key, result.sent, (each) => ({ ...each, state: "sent" }));
  const id = result?.values?.["messageId"];
  if (!id) return;
  const { fieldErrors, formError: why } = result!;
  changeUnsent(key, id, (each) => (fieldErrors ? null : { ...each, state: "failed", why }));
}
