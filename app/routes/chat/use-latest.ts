import { useEffect, useRef, useState } from "react";
import type { Unsent } from "./outbox.ts";

/** How far from the end somebody still follows the chat, in pixels. */
const NEAR = 200;

interface End {
  /** The newest message's. */
  number: number;
  /** One's own that are on their way. */
  unsent: Unsent[];
  isOld: boolean;
}

/**
 * Opens at the newest message, and stays there as more come, but not under a finger: whoever reads
 * further up or holds the page is told of news and leads it there.
 */
export function useLatest({ number, unsent: own, isOld }: End) {
  const unsent = own.length;
  const failed = own.filter(({ state }) => state === "failed").length;
  const [hasNews, setHasNews] = useState(false);
  const shown = useRef<Record<"number" | "unsent" | "failed", number> | null>(null);
  const isNear = useRef(true);
  const isHeld = useRef(false);
  useEffect(() => {
    const look = () => {
      const { scrollHeight, clientHeight } = document.documentElement;
      isNear.current = scrollHeight - clientHeight - scrollY < NEAR;
      if (isNear.current) setHasNews(false);
    };
    const hold = ({ touches }: TouchEvent) => (isHeld.current = touches.length > 0);
    const options = { passive: true };
    addEventListener("scroll", look, options);
    for (const event of TOUCHES) addEventListener(event, hold, options);
    return () => {
      removeEventListener("scroll", look);
      for (const event of TOUCHES) removeEventListener(event, hold);
    };
  }, []);
  useEffect(() => {
    const last = shown.current;
    shown.current = { number, unsent, failed };
    if (!last) return void (isOld || location.hash || scrollToEnd());
    if (unsent > last.unsent) return scrollToEnd();
    const isNews = number > last.number && !isOld;
    if (!isNews && failed <= last.failed) return;
    if (isNear.current && !isHeld.current) scrollToEnd();
    else if (isNews) setHasNews(true);
  }, [number, unsent, failed, isOld]);
  return { hasNews, showLatest: scrollToEnd };
}

const TOUCHES = ["touchstart", "touchend", "touchcancel"] as const;

// What an effect returns is its cleanup, and browsers begin to return a promise here.
const scrollToEnd = () => void scrollTo(0, document.documentElement.scrollHeight);
