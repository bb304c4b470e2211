const FAST_MS = 2_000;
const SLOW_MS = 10_000;
const FAST_UNTIL_MS = 30_000;
const STOPS_AFTER_MS = 600_000;

/** Nothing changes by itself any more. */
export function isSettled(state: string): boolean {
  return ["arrived", "failed", "settled"].includes(state);
}

interface Watch {
  /** Looks once; true ends the watch. */
  look: () => Promise<boolean>;
  onStop: () => void;
}

/**
 * Looks every 2 seconds, after 30 seconds every 10, and stops after 10 minutes. While the page is
 * hidden it rests; who comes back to it is shown the present at once, and the watch begins anew.
 * Answers what ends it.
 */
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
    // A connection that is gone for a moment is no answer; the next look asks again.
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
