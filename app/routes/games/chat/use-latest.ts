import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { useNavigationType } from "react-router";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { Unsent } from "./outbox.ts";

/** So far from the end, in pixels, a reader still follows the chat. */
const NEAR = 200;

interface End {
  /** Numbers of the first message and of the last. */
  first: number;
  number: number;
  /** One's own messages on the way. */
  unsent: Unsent[];
  isOld: boolean;
}

// Opens at the newest message, or at the first unread one if they fill more than the screen, and
// stays at the end as more arrive. A reader who is further up, or holds the page with a finger, is
// only shown a button.
export function useLatest({ first, number, unsent: own, isOld }: End) {
  const unsent = own.length;
  const failed = own.filter(({ state }) => state === "waiting" || state === "rejected").length;
  /** The last message before those out of sight; null if there are none. */
  const [seen, setSeen] = useState<number | null>(null);
  const shown = useRef<Record<"first" | "number" | "unsent" | "failed", number> | null>(null);
  /** The page's height when last looked at: what arrived since is below it. */
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
    shown.current = { first, number, unsent, failed };
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
    shown.current = { first, number, unsent, failed };
    // Some go only while the reader is at the end, and move the position that would show it.
    const wasCut = first > last.first && first <= last.number;
    const wasNear = wasCut || isNear(height.current);
    height.current = document.documentElement.scrollHeight;
    if (unsent > last.unsent) return scrollToEnd();
    const hasNew = number > last.number && !isOld;
    if (!hasNew && failed <= last.failed) return;
    if (wasNear && !isHeld.current) scrollToEnd();
    else if (hasNew) setSeen((before) => before ?? last.number);
  }, [first, number, unsent, failed, isOld]);
  return { seen, showLatest: scrollToEnd };
}

const TOUCHES = ["touchstart", "touchend", "touchcancel"] as const;

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

/** Scroll events come a frame late, so the position is read when it matters. */
const isNear = (height: number) => height - document.documentElement.clientHeight - scrollY < NEAR;

export const isAtEnd = () => isNear(document.documentElement.scrollHeight);

// An effect's result is its cleanup, and some browsers return a promise here.
const scrollToEnd = () => void scrollTo(0, document.documentElement.scrollHeight);
