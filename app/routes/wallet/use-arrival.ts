import { useEffect, useState, useSyncExternalStore } from "react";
import { useNavigate, useRevalidator } from "react-router";

const LONG_MS = 60_000;
const SHOWN_MS = 2_500;
const LOOK_TIMEOUT_MS = 8_000;
const FAST_MS = 2_000;
const SLOW_MS = 10_000;
const FAST_UNTIL_MS = 30_000;
const STOPS_AFTER_MS = 600_000;

/** Reloads the data when the payment's state changes; returns whether it is slow or stopped. */
export function useArrival({ sessionId, state }: { sessionId: string; state: string }) {
  const { revalidate } = useRevalidator();
  const [isLong, setLong] = useState(false);
  const [hasStopped, setStopped] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (isFinal(state)) return;
    const look = async () => {
      const hasChanged = (await ask(sessionId, state)) !== state;
      if (hasChanged) await revalidate();
      return hasChanged;
    };
    return watchArrival({ look, onStop: () => setStopped(true) });
  }, [sessionId, state, revalidate]);
  return { isLong, hasStopped };
}

/** The server's state, or the known one if that cannot be read. */
async function ask(sessionId: string, known: string): Promise<string> {
  const signal = AbortSignal.timeout(LOOK_TIMEOUT_MS);
  const response = await fetch(`/wallet/paid/state?session_id=${sessionId}`, { signal });
  return response.ok || response.status === 401 ? response.text() : known;
}

export function isFinal(state: string): boolean {
  return ["arrived", "declined", "failed", "settled"].includes(state);
}

interface Watch {
  /** Checks once; true stops polling. */
  look: () => Promise<boolean>;
  onStop: () => void;
}

// Looks every 2 seconds, after 30 seconds every 10, and stops after 10 minutes. It pauses while the
// page is hidden, and then starts over with a look. Returns what ends it.
export function watchArrival({ look, onStop }: Watch): () => void {
  let startedAt = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const plan = () => {
    clearTimeout(timer);
    const waited = Date.now() - startedAt;
    if (isOver || document.hidden) return;
    if (waited >= STOPS_AFTER_MS) return onStop();
    timer = setTimeout(turn, waited < FAST_UNTIL_MS ? FAST_MS : SLOW_MS);
  };
  const turn = async () => {
    clearTimeout(timer);
    if (isOver || document.hidden) return;
    // Without a connection, the next check asks again.
    if (await look().catch(() => false)) return end();
    plan();
  };
  const wake = () => {
    if (document.hidden) return;
    startedAt = Date.now();
    void turn();
  };
  const end = () => {
    isOver = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", wake);
  };
  document.addEventListener("visibilitychange", wake);
  plan();
  return end;
}

/** Redirects after a moment, unless there is input, a hidden page or reduced motion. */
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
    for (const type of ["pointerdown", "keydown", "visibilitychange"]) {
      document.addEventListener(type, () => setStopped(true), { signal: ends.signal });
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
