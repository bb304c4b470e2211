import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from "react";
import { nameOf } from "#app/features/chat/names.ts";
import { keepStream } from "#app/live/live-stream.ts";
import { useRereading } from "#app/live/rereading.ts";
import type { MessageView } from "#app/features/chat/message-view.server.ts";
import type { ChatPage } from "./chat-view.server.ts";
import { isOfBlocked, isOwn, type Reader } from "./groups.ts";
import { isAtEnd } from "./use-latest.ts";

interface Shown {
  loaded: MessageView[];
  messages: MessageView[];
  announced: MessageView[];
}

/** More make each new message slow; a reader at the end finds them under "Earlier messages". */
const MOST_SHOWN = 200;

/** The page's messages and those since; earlier ones stay as loaded while they are being read. */
export function useLiveChat(chat: ChatPage, onConnected: () => void) {
  const { gameId, messages: loaded, before } = chat;
  const [shown, setShown] = useState<Shown>({ loaded, messages: loaded, announced: [] });
  const startRereading = useRereading(isHidden);
  const isOpen = useRef(false);
  const { isLost, opened, closed } = useConnection();
  if (shown.loaded !== loaded) {
    setShown({ ...shown, loaded, messages: addMessages(shown.messages, loaded) });
  }
  const [subscription] = useState(() => createSubscription(loaded.at(-1)));
  useEffect(() => subscription.read(loaded.at(-1)), [subscription, loaded]);
  const start = useEffectEvent(() => startRereading());
  const connect = useEffectEvent(() => {
    isOpen.current = true;
    opened();
    onConnected();
  });
  const disconnect = useEffectEvent(() => {
    isOpen.current = false;
    closed();
  });
  /** Returns false where the page must be read again. */
  const receive = useEffectEvent((all: MessageView[] | null) => {
    const added = all && subscription.receive(all);
    if (!added) return false;
    const received = withoutKnown(shown.messages, all);
    const announced = added.filter((message) => isNewTo(message, chat));
    const most = isAtEnd() ? MOST_SHOWN : Infinity;
    setShown((before) => ({
      ...before,
      messages: addMessages(before.messages, received).slice(-most),
      announced: announced.length > 0 ? announced : before.announced,
    }));
    // Only the page knows what is pinned, which day it is, and which first names occur twice.
    return (
      !subscription.isNextDay() &&
      !received.some(
        (message) =>
          message.kind === "Announcement" || isNamesake(message, shown.messages, chat.names),
      )
    );
  });
  useEffect(() => {
    if (before !== null) return;
    const rereading = start();
    const stop = keepStream({
      address: () => `chat=${gameId}&after=${subscription.lastNumber()}`,
      onOpen: () => connect(),
      onClose: () => disconnect(),
      on: {
        pace: (ms) => rereading.pace(Number(ms)),
        chat(data) {
          const { messages } = JSON.parse(data) as { messages: MessageView[] | null };
          if (!receive(messages)) rereading.soon();
        },
      },
    });
    return () => {
      stop();
      rereading.stop();
    };
  }, [gameId, before, subscription]);
  return { ...shown, isLost, isLive: () => isOpen.current };
}

/** What is written goes on arriving while somebody writes. */
const isHidden = () => document.hidden;

/** Keeps how far a page has received: more may arrive before it has shown the last. */
export function createSubscription(start: MessageView | undefined) {
  let [last, isNextDay] = [start, false];
  return {
    lastNumber: () => last?.number ?? 0,
    isNextDay: () => isNextDay,
    /** The page itself has been read again. */
    read(newest: MessageView | undefined) {
      if ((newest?.number ?? 0) >= (last?.number ?? 0)) last = newest;
    },
    /** The new ones; null if some are missing before them. */
    receive(received: MessageView[]): MessageView[] | null {
      const number = last?.number ?? 0;
      const added = received.filter((message) => message.number > number);
      if (added[0] && added[0].number !== number + 1) return null;
      isNextDay = last !== undefined && added.some(({ date }) => date > last!.date);
      last = added.at(-1) ?? last;
      return added;
    },
  };
}

/** A stream that is opened again repeats what is gone. */
export function withoutKnown(shown: MessageView[], received: MessageView[]): MessageView[] {
  const gone = new Set(shown.flatMap((message) => (message.gone ? message.number : [])));
  return received.filter(({ number }) => number >= (shown[0]?.number ?? 0) && !gone.has(number));
}

export const isNewTo = (message: MessageView, reader: Reader) =>
  !message.gone && !isOwn(message, reader.viewer) && !isOfBlocked(message, reader);

// Ordered by number; removed messages stay removed. After a gap only the later ones stay, and none
// from before the first is added: those between would be missing.
export function addMessages(shown: MessageView[], more: MessageView[]): MessageView[] {
  const [first, last] = [shown[0], shown.at(-1)];
  if (last && more[0] && more[0].number > last.number + 1) return more;
  const all = new Map(shown.map((message) => [message.number, message]));
  for (const message of more) {
    if (first && message.number < first.number) continue;
    if (!all.get(message.number)?.gone) all.set(message.number, message);
  }
  return [...all.values()].toSorted((a, b) => a.number - b.number);
}

/** Somebody else with the same name, when nothing tells the two apart yet. */
export const isNamesake = (
  { authorId, name }: MessageView,
  messages: MessageView[],
  names: ChatPage["names"],
) =>
  authorId !== null &&
  !names[authorId] &&
  messages.some((other) => other.authorId && other.authorId !== authorId && other.name === name);

const FEW = 3;

export function announcementTexts(messages: MessageView[], names: ChatPage["names"]): string[] {
  if (messages.length > FEW) return [`${messages.length} new messages`];
  return messages.map((message) => {
    const { kind, subject, parts, rest } = message;
    const text = [subject, ...[...parts, ...rest].map((part) => part.text)]
      .filter(Boolean)
      .join(" ");
    return kind === "FirstGame" ? text : `${nameOf(message, { names })}: ${text}`;
  });
}

/** A stream is away for moments whenever a server or a network changes. */
const AWAY_MS = 5_000;

/** Whether new messages cannot come: the browser is offline, or the stream has been away for long. */
function useConnection() {
  const isOffline = useSyncExternalStore(onConnection, () => !navigator.onLine, never);
  const [isAway, setAway] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    isLost: isOffline || isAway,
    opened() {
      clearTimeout(timer.current);
      timer.current = undefined;
      setAway(false);
    },
    closed() {
      timer.current ??= setTimeout(() => setAway(!document.hidden), AWAY_MS);
    },
  };
}

function onConnection(changed: () => void) {
  for (const event of ["online", "offline"]) addEventListener(event, changed);
  return () => {
    for (const event of ["online", "offline"]) removeEventListener(event, changed);
  };
}

const never = () => false;
