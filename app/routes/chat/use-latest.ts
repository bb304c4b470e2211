import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { useNavigationType } from "react-router";
import { useHydrated } from "#app/ui/use-hydrated.ts";
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
 * Opens at the newest message, or at the first unread one where they fill more than the screen, and
 * stays at the end as more come, but not under a finger: a reader further up, or one who holds the page,
 * is told of news and leads it there.
 */
export function useLatest({ number, unsent: own, isOld }: End) {
  const unsent = own.length;
  const failed = own.filter(({ state }) => state === "failed" || state === "rejected").length;
  /** The last message before those that came out of sight; null where there are none. */
  const [seen, setSeen] = useState<number | null>(null);
  const shown = useRef<Record<"number" | "unsent" | "failed", number> | null>(null);
  /** How high the page was when it was last looked at: what came since then is below it. */
  const height = useRef(0);
  const isHeld = useRef(false);
  const isRestored = useIsRestored();
  useEffect(() => {
    const look = () => {
      height.current = document.documentElement.scrollHeight;
      if (isNear(height.current)) setSeen(null);
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
  const begin = useEffectEvent(() => {
    shown.current = { number, unsent, failed };
    height.current = document.documentElement.scrollHeight;
    if (isOld || isRestored()) return;
    if (unsent > 0) scrollToEnd();
    else open();
  });
  useEffect(() => begin(), []);
  // At once: a scroll event in between would measure what has just come as what was there.
  useLayoutEffect(() => {
    const last = shown.current;
    if (!last) return;
    shown.current = { number, unsent, failed };
    const wasNear = isNear(height.current);
    height.current = document.documentElement.scrollHeight;
    if (unsent > last.unsent) return scrollToEnd();
    const isNews = number > last.number && !isOld;
    if (!isNews && failed <= last.failed) return;
    if (wasNear && !isHeld.current) scrollToEnd();
    else if (isNews) setSeen((before) => before ?? last.number);
  }, [number, unsent, failed, isOld]);
  return { seen, showLatest: scrollToEnd };
}

const TOUCHES = ["touchstart", "touchend", "touchcancel"] as const;

/** Whether the browser has come back to this page, and to where it was. */
function useIsRestored() {
  const type = useNavigationType();
  const hydrated = useHydrated();
  const [isBack] = useState(() => {
    if (hydrated) return () => type === "POP";
    return () => {
      const [document] = performance.getEntriesByType("navigation");
      return (document as PerformanceNavigationTiming | undefined)?.type === "back_forward";
    };
  });
  return isBack;
}

/** The id of the line above the first unread message. */
export const NEW = "new";

function open() {
  if (location.hash && location.hash !== "#latest") return;
  const line = document.getElementById(NEW)?.getBoundingClientRect();
  const end = document.documentElement.scrollHeight - scrollY;
  if (line && end - line.top > innerHeight) document.getElementById(NEW)!.scrollIntoView();
  else scrollToEnd();
}

/** Scroll events come a frame late: where the reader is now is asked when it matters. */
const isNear = (height: number) => height - document.documentElement.clientHeight - scrollY < NEAR;

// What an effect returns is its cleanup, and browsers begin to return a promise here.
const scrollToEnd = () => void scrollTo(0, document.documentElement.scrollHeight);
