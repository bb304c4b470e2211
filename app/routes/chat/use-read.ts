import { useEffect, useRef } from "react";

/** At most one request in this time, in milliseconds. */
const EVERY = 3_000;

/**
 * Marks what is on screen as read while the page is visible. What the page was loaded with is marked
 * by the server.
 */
export function useRead({ path, number }: { path: string; number: number }) {
  const marked = useRef({ path, number, at: 0 });
  useEffect(() => {
    if (marked.current.path !== path) marked.current = { path, number, at: 0 };
    if (number <= marked.current.number) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const mark = () => {
      if (document.visibilityState !== "visible" || number <= marked.current.number) return;
      marked.current = { path, number, at: Date.now() };
      void postRead(path, number);
    };
    const plan = () => {
      clearTimeout(timer);
      timer = setTimeout(mark, Math.max(0, marked.current.at + EVERY - Date.now()));
    };
    plan();
    document.addEventListener("visibilitychange", plan);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", plan);
    };
  }, [path, number]);
}

/** Beside the router, which would read the page again. One that fails is made up for by the next. */
async function postRead(path: string, number: number): Promise<void> {
  const body = new URLSearchParams({ intent: "read", number: String(number) });
  await fetch(`${path}.data`, { method: "POST", body, keepalive: true }).catch(() => null);
}
