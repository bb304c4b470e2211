import { useEffect, useRef } from "react";

/** At most one request in this time, in milliseconds. */
const EVERY = 3_000;

type Read = { path: string; account: string; number: number };

/** Marks messages as read while the page is visible. The server marks those it loads with. */
export function useRead({ path, account, number }: Read) {
  const marked = useRef({ path, number, at: 0 });
  useEffect(() => {
    if (marked.current.path !== path) marked.current = { path, number, at: 0 };
    if (number <= marked.current.number) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const mark = () => {
      if (document.visibilityState !== "visible" || number <= marked.current.number) return;
      marked.current = { path, number, at: Date.now() };
      void postRead({ path, account, number });
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
  }, [path, account, number]);
}

/** Not by the router, which would read the page again. The next one makes up for a failure. */
async function postRead({ path, account, number }: Read): Promise<void> {
  const body = new URLSearchParams({ intent: "read", account, number: String(number) });
  await fetch(`${path}.data`, { method: "POST", body, keepalive: true }).catch(() => null);
}
