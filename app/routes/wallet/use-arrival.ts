import { useEffect, useState, useSyncExternalStore } from "react";
import { useNavigate, useRevalidator } from "react-router";
import { isSettled, watchArrival } from "./arrival-watch.ts";

const LONG_MS = 60_000;
const SHOWN_MS = 2_500;
const LOOK_TIMEOUT_MS = 8_000;

/** Loads the page anew once its payment has come further; says when it waits long or no more. */
export function useArrival({ sessionId, state }: { sessionId: string; state: string }) {
  const { revalidate } = useRevalidator();
  const [isLong, setLong] = useState(false);
  const [hasStopped, setStopped] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (isSettled(state)) return;
    const look = async () => {
      const hasChanged = (await ask(sessionId, state)) !== state;
      if (hasChanged) await revalidate();
      return hasChanged;
    };
    return watchArrival({ look, onStop: () => setStopped(true) });
  }, [sessionId, state, revalidate]);
  return { isLong, hasStopped };
}

/** The state as the server knows it; a server that cannot say knows nothing new. */
async function ask(sessionId: string, known: string): Promise<string> {
  const signal = AbortSignal.timeout(LOOK_TIMEOUT_MS);
  const response = await fetch(`/wallet/paid/state?session_id=${sessionId}`, { signal });
  return response.ok || response.status === 401 ? response.text() : known;
}

/**
 * Leads on by itself after a moment, unless somebody does anything meanwhile, has the page hidden
 * or wants no motion. Answers whether it is going to, and what stops it.
 */
export function useLeadOn(to: string | null) {
  const navigate = useNavigate();
  const [isStopped, setStopped] = useState(false);
  const isWelcome = useSyncExternalStore(neverChanges, isLeadingWelcome, never);
  const isLeading = to !== null && isWelcome && !isStopped;
  const stop = () => setStopped(true);
  useEffect(() => {
    if (!to || !isLeading) return;
    const timer = setTimeout(() => void navigate(to, { replace: true }), SHOWN_MS);
    const ends = new AbortController();
    for (const deed of ["pointerdown", "keydown", "visibilitychange"]) {
      document.addEventListener(deed, () => setStopped(true), { signal: ends.signal });
    }
    return () => {
      clearTimeout(timer);
      ends.abort();
    };
  }, [to, isLeading, navigate]);
  return { isLeading, stop };
}

const neverChanges = () => () => {};
const never = () => false;
const isLeadingWelcome = () =>
  !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches;
