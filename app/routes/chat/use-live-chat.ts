import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { keepStream } from "#app/routes/games/live-stream.ts";
import { readQuietly } from "#app/routes/offline-middleware.ts";
import type { ChatPage, MessageView } from "./chat-view.server.ts";
import { isOfBlocked, isOwn, type Reader } from "./groups.ts";

interface Shown {
  /** What the page was loaded with. */
  loaded: MessageView[];
  messages: MessageView[];
  /** What others have written since and is not folded, to be read out. */
  news: MessageView[];
}

/** The messages of the page, and those that came since; earlier ones stay as they were loaded. */
export function useLiveChat(chat: ChatPage) {
  const { gameId, messages: loaded, before } = chat;
  const [shown, setShown] = useState<Shown>({ loaded, messages: loaded, news: [] });
  const { revalidate } = useRevalidator();
  const isOpen = useRef(false);
  if (shown.loaded !== loaded) {
    setShown({ ...shown, loaded, messages: addMessages(shown.messages, loaded) });
  }
  const lastNumber = useEffectEvent(() => shown.messages.at(-1)?.number ?? 0);
  const reread = useEffectEvent(() => void readQuietly(revalidate));
  /** False where the page has to be read again. */
  const hear = useEffectEvent((heard: MessageView[] | null) => {
    const last = shown.messages.at(-1);
    const added = heard?.filter(({ number }) => number > (last?.number ?? 0));
    if (!heard || (added?.[0] && added[0].number !== (last?.number ?? 0) + 1)) return false;
    const news = added!.filter((message) => isNews(message, chat));
    setShown((before) => ({
      ...before,
      ...{
        messages: addMessages(before.messages, heard),
        news: news.length > 0 ? news : before.news,
      },
    }));
    // What is pinned, and which day is today, only the page knows.
    return !heard.some(({ kind, date }) => kind === "Announcement" || (last && date > last.date));
  });
  useEffect(() => {
    if (before !== null) return;
    let paceMs = 1_000;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = () => {
      timer = undefined;
      reread();
    };
    const stop = keepStream({
      address: () => `chat=${gameId}&after=${lastNumber()}`,
      onOpen: () => (isOpen.current = true),
      onClose: () => (isOpen.current = false),
      on: {
        pace: (ms) => (paceMs = Number(ms)),
        chat(data) {
          const { messages } = JSON.parse(data) as { messages: MessageView[] | null };
          if (!hear(messages)) timer ??= setTimeout(read, paceMs * Math.random());
        },
      },
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [gameId, before]);
  return { ...shown, isLive: () => isOpen.current };
}

export const isNews = (message: MessageView, reader: Reader) =>
  !message.gone && !isOwn(message, reader.viewer) && !isOfBlocked(message, reader);

/** By number; what is gone stays gone, and where some are missing between only the later ones stay. */
export function addMessages(shown: MessageView[], more: MessageView[]): MessageView[] {
  const last = shown.at(-1);
  if (last && more[0] && more[0].number > last.number + 1) return more;
  const all = new Map(shown.map((message) => [message.number, message]));
  for (const message of more) {
    if (!all.get(message.number)?.gone) all.set(message.number, message);
  }
  return [...all.values()].toSorted((a, b) => a.number - b.number);
}

const FEW = 3;

/** What a screen reader says of them. */
export function spokenNews(news: MessageView[]): string[] {
  if (news.length > FEW) return [`${news.length} new messages`];
  return news.map(({ kind, name, subject, parts }) => {
    const text = [subject, ...parts.map((part) => part.text)].filter(Boolean).join(" ");
    return kind === "FirstGame" ? text : `${name}: ${text}`;
  });
}
